{# Made by substrait-sql. Changes here are written over. #}

{# A variable as a text of Spark SQL, which the query casts to its type. #}
{% macro substrait_sql_parameter(name) %}
{%- set value = var(name) -%}
{%- if value is none -%}
NULL
{%- else -%}
{%- set text = value | string | replace('\\', '\\\\') | replace("'", "\\'") -%}
'{{ text | replace('\n', '\\n') | replace('\r', '\\r') | replace('$', '\\u0024') }}'
{%- endif -%}
{% endmacro %}

{# Fails where the session has other settings than the queries rely on: their rows would be others. #}
{% macro substrait_sql_session(times=false) %}
{%- if execute -%}
{%- if target.method == 'session' and target.threads | int > 1 -%}
{%- do exceptions.raise_compiler_error('statements that run at once share the settings of the session: threads: 1 in profiles.yml, or --threads 1') -%}
{%- endif -%}
{%- set wanted = {
  'spark.sql.ansi.enabled': 'true',
  'spark.sql.caseSensitive': 'false',
  'spark.sql.groupByOrdinal': 'false',
  'spark.sql.orderByOrdinal': 'false',
  'spark.sql.variable.substitute': 'false',
  'spark.sql.parser.escapedStringLiterals': 'false',
  'spark.sql.ansi.doubleQuotedIdentifiers': 'false',
  'spark.sql.session.timeZone': 'UTC',
  'spark.sql.decimalOperations.allowPrecisionLoss': 'true',
  'spark.sql.ansi.enforceReservedKeywords': 'false',
  'spark.sql.ansi.relationPrecedence': 'false',
  'spark.sql.chunkBase64String.enabled': 'true',
  'spark.sql.function.concatBinaryAsString': 'false',
  'spark.sql.function.eltOutputAsString': 'false',
  'spark.sql.groupByAliases': 'true',
  'spark.sql.parser.quotedRegexColumnNames': 'false',
  'spark.sql.preserveCharVarcharTypeInfo': 'false',
  'spark.sql.storeAssignmentPolicy': 'ANSI',
  'spark.sql.timestampType': 'TIMESTAMP_LTZ',
  'spark.sql.legacy.allowNegativeScaleOfDecimal': 'false',
  'spark.sql.legacy.codingErrorAction': 'false',
  'spark.sql.legacy.consecutiveStringLiterals.enabled': 'false',
  'spark.sql.legacy.createEmptyCollectionUsingStringType': 'false',
  'spark.sql.legacy.ctePrecedencePolicy': 'CORRECTED',
  'spark.sql.legacy.decimal.retainFractionDigitsOnTruncate': 'false',
  'spark.sql.legacy.duplicateBetweenInput': 'false',
  'spark.sql.legacy.exponentLiteralAsDecimal.enabled': 'false',
  'spark.sql.legacy.followThreeValuedLogicInArrayExists': 'true',
  'spark.sql.legacy.integerGroupingId': 'false',
  'spark.sql.legacy.interval.enabled': 'false',
  'spark.sql.legacy.javaCharsets': 'false',
  'spark.sql.legacy.literal.pickMinimumPrecision': 'true',
  'spark.sql.legacy.lpadRpadAlwaysReturnString': 'false',
  'spark.sql.legacy.negativeIndexInArrayInsert': 'false',
  'spark.sql.legacy.parser.havingWithoutGroupByAsWhere': 'false',
  'spark.sql.legacy.percentileDiscCalculation': 'false',
  'spark.sql.legacy.setopsPrecedence.enabled': 'false',
  'spark.sql.legacy.statisticalAggregate': 'false',
} -%}
{%- if times -%}
{%- do wanted.update({
  'spark.sql.timeType.enabled': 'true',
}) -%}
{%- endif -%}
{#- What has been set in this session, in one query. What is not among it has its default, or is of a later release. -#}
{%- set known = {} -%}
{%- for row in run_query('SET').rows -%}
{%- do known.update({row[0]: row[1]}) -%}
{%- endfor -%}
{%- for name, value in wanted.items() if name != 'spark.sql.ansi.enabled' -%}
{%- set found = (known[name] if name in known else run_query('SET ' ~ name).rows[0][1]) | string -%}
{%- if found | lower not in (value | lower, '<undefined>') -%}
{%- do exceptions.raise_compiler_error('the session has ' ~ name ~ ' = ' ~ found ~ ', and this model relies on ' ~ value ~ ': set it in profiles.yml, server_side_parameters') -%}
{%- endif -%}
{%- endfor -%}
{%- endif -%}
{% endmacro %}

{#
  dbt-spark switches ANSI mode off before each statement, so that it is switched on inside of ours. Spark reads the
  statements of a block before it runs the first one, and casts are made when they are read: hence the text in quotes.
#}
{% macro substrait_sql_ansi(statement) %}
{%- if model.config.meta.get('substrait_sql') -%}
BEGIN
EXECUTE IMMEDIATE 'SET spark.sql.ansi.enabled = true';
EXECUTE IMMEDIATE '{{ statement | replace('\\', '\\\\') | replace("'", "\\'") }}';
EXECUTE IMMEDIATE 'SET spark.sql.ansi.enabled = false';
END
{%- else -%}
{{ statement }}
{%- endif -%}
{% endmacro %}

{% macro spark__create_table_as(temporary, relation, compiled_code, language='sql') %}
{{- substrait_sql_ansi(dbt.spark__create_table_as(temporary, relation, compiled_code, language)) -}}
{% endmacro %}

{% macro spark__create_view_as(relation, sql) %}
{{- substrait_sql_ansi(dbt.spark__create_view_as(relation, sql)) -}}
{% endmacro %}
