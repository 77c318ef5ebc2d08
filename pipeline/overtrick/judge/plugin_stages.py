"""The stages of plugins (`overtrick.stages`), each after the stage of overtrick that it names."""

from dataclasses import replace

from overtrick.core.frames import FRAMES, Session
from overtrick.core.plugins import After, Fault, Stage, explain, find
from overtrick.core.problems import concat_problems, report_faults


def list_stage_faults() -> tuple[Fault, ...]:
    """Return the stages that cannot be loaded."""
    return find("overtrick.stages").faults


def run_plugins(session: Session, after: After) -> Session:
    """Run the stages of plugins that follow a stage; report those that fail, and go without."""
    faults = []
    for name, plugin in find("overtrick.stages").loaded:
        stage = plugin if isinstance(plugin, Stage) else Stage(plugin)
        if stage.after != after:
            continue
        try:
            session = _checked(stage.run(session))
        except Exception as error:  # noqa: BLE001 - whatever another package does
            faults.append(Fault(f"overtrick.stages:{name}", explain(error)))
    if not faults:
        return session
    return replace(session, problems=concat_problems([session.problems, report_faults(faults)]))


def _checked(session: object) -> Session:
    """Return what a plugin returned, if it is a session whose frames have their columns."""
    if not isinstance(session, Session):
        raise TypeError(f"expected a Session, got {type(session).__name__}")
    blank = Session()
    for name in FRAMES:
        frame, expected = getattr(session, name), getattr(blank, name).schema
        if any(frame.schema.get(column) != kind for column, kind in expected.items()):
            raise TypeError(f"the columns of {name} are not those of overtrick.core.frames")
    return session
