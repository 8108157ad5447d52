{{ config(materialized='ephemeral') }}
SELECT * FROM {{ ref('trips') }} WHERE minutes >= 30
