"""What a plan means, apart from the way in which it says so; and whether two plans mean the same."""
