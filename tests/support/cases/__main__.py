"""Write the plan and row files of every case; `pytest --golden-update` writes the SQL."""

from tests.support.cases import PLANS, load

for case in load():
    case.path.parent.mkdir(exist_ok=True)
    case.path.write_bytes(case.plan_file())
    case.path.with_suffix(".rows.json").write_text(case.rows_file(), encoding="utf-8")
    print(case.path.relative_to(PLANS.parent))
