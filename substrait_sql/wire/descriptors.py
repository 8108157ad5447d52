"""Message classes of a private descriptor pool: today's Substrait, and every field there ever was.

The installed bindings are one release among a hundred. Their descriptors are copied and edited by
the table in ``history.py``, so that no plan depends on which release is installed, and nothing
global is touched.
"""

from __future__ import annotations

from enum import Enum
from threading import RLock
from typing import TYPE_CHECKING

from google.protobuf import (
    descriptor_pb2,
    descriptor_pool,
    message_factory,
    struct_pb2,
    wrappers_pb2,
)
from substrait import extended_expression_pb2, plan_pb2

from substrait_sql.wire import history
from substrait_sql.wire.history import Field

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from google.protobuf.descriptor import Descriptor, FileDescriptor
    from google.protobuf.message import Message

_FieldProto = descriptor_pb2.FieldDescriptorProto
_SCALARS = {
    "uint32": _FieldProto.TYPE_UINT32,
    "int32": _FieldProto.TYPE_INT32,
    "int64": _FieldProto.TYPE_INT64,
    "uint64": _FieldProto.TYPE_UINT64,
    "string": _FieldProto.TYPE_STRING,
    "bytes": _FieldProto.TYPE_BYTES,
}
_ANY = ".google.protobuf.Any"
# Not on the wire: the names that SQL gives the fields of a struct, for `schema.naming`.
_STRUCT_NAMES = Field("Type.Struct", 10_001, "sql_names", "string", repeated=True)
# Nor are these: what the extension file calls a user-defined type, for `schema.user_defined`.
_TYPE_NAMES = tuple(
    Field(message, 10_001, "sql_name", "string")
    for message in ("Type.UserDefined", "Expression.Literal.UserDefined")
)
_OPAQUE = ".substrait.extensions.Opaque"
WRAPPERS = frozenset(
    found.full_name for found in wrappers_pb2.DESCRIPTOR.message_types_by_name.values()
)
"""Protobuf's messages of one plain value, by their full names."""


class Variant(Enum):
    """Which descriptors a class is made of."""

    TODAY = "today"
    """The newest release, plus the draft's fields under numbers of their own."""
    HISTORY = "history"
    """Today plus every retired field."""
    JSON = "json"
    """History with ``Any`` as the plain pair of fields it is, so that any type can be read."""
    OLD_TEXT = "old text"
    """History with retyped fields as they were."""


class _Editor:
    """The copied files, and the edits that make a variant of them."""

    def __init__(self) -> None:
        self.files = {
            f.name: _copy(f)
            for f in _closure(
                (
                    plan_pb2.DESCRIPTOR,
                    extended_expression_pb2.DESCRIPTOR,
                    struct_pb2.DESCRIPTOR,
                    wrappers_pb2.DESCRIPTOR,
                )
            )
        }
        self.messages: dict[str, descriptor_pb2.DescriptorProto] = {}
        self.enums: dict[str, descriptor_pb2.EnumDescriptorProto] = {}
        # The file of each message and enum that stands in no other one.
        self._homes: dict[str, descriptor_pb2.FileDescriptorProto] = {}
        for file in self.files.values():
            self.enums.update({f"{file.package}.{e.name}": e for e in file.enum_type})
            self._homes.update({f"{file.package}.{e.name}": file for e in file.enum_type})
            self._homes.update({f"{file.package}.{m.name}": file for m in file.message_type})
            for m in file.message_type:
                self._index(m, f"{file.package}.{m.name}")

    def _index(self, message: descriptor_pb2.DescriptorProto, full_name: str) -> None:
        self.messages[full_name] = message
        self.enums.update({f"{full_name}.{e.name}": e for e in message.enum_type})
        for nested in message.nested_type:
            self._index(nested, f"{full_name}.{nested.name}")

    def message(self, name: str) -> descriptor_pb2.DescriptorProto:
        """Return the message of that name, made if there is none."""
        full_name = f"substrait.{name}"
        if full_name not in self.messages:
            parent, _, own = name.rpartition(".")
            if f"substrait.{parent}" in self.messages:
                made = self.messages[f"substrait.{parent}"].nested_type.add(name=own)
            else:
                home = self._homes[full_name] = self._home(parent)
                made = home.message_type.add(name=own)
            self.messages[full_name] = made
        return self.messages[full_name]

    def _home(self, package: str) -> descriptor_pb2.FileDescriptorProto:
        last = "extensions/extensions.proto" if package == "extensions" else "plan.proto"
        return next(f for name, f in self.files.items() if name.endswith(f"substrait/{last}"))

    def declare(self, fields: Iterable[Field]) -> None:
        """Make the messages first, so that a field may be of a type that a later line brings."""
        for field in fields:
            self.message(field.message)

    def add(self, field: Field) -> None:
        """Add the field, unless the installed bindings have it."""
        message = self.message(field.message)
        if any(f.number == field.number or f.name == field.name for f in message.field):
            self._join_oneof(message, field)
            return
        added = message.field.add(
            name=field.name, number=field.number, json_name=_json_name(field.name)
        )
        added.label = _FieldProto.LABEL_REPEATED if field.repeated else _FieldProto.LABEL_OPTIONAL
        if field.type in _SCALARS:
            added.type = _SCALARS[field.type]
        else:
            added.type_name = field.type
            self._import(field)
            added.type = (
                _FieldProto.TYPE_ENUM if field.type[1:] in self.enums else _FieldProto.TYPE_MESSAGE
            )
        self._join_oneof(message, field)
        if field.presence:
            _give_presence(message, added)

    def _import(self, field: Field) -> None:
        """Names the file of a field's type in its own one: protobuf without its compiled part looks in no other."""
        own, other = self._file(f"substrait.{field.message}"), self._file(field.type[1:]).name
        if other != own.name and other not in own.dependency:
            own.dependency.append(other)

    def _file(self, full_name: str) -> descriptor_pb2.FileDescriptorProto:
        while full_name not in self._homes:
            full_name = full_name.rpartition(".")[0]
        return self._homes[full_name]

    def _join_oneof(self, message: descriptor_pb2.DescriptorProto, field: Field) -> None:
        if field.oneof:
            present = next(f for f in message.field if f.number == field.number)
            present.oneof_index = _oneof(message, field.oneof)

    def remove(self, message: str, name: str) -> None:
        """Remove the field if there is one."""
        fields = self.message(message).field
        for i, field in enumerate(fields):
            if field.name == name:
                del fields[i]
                return

    def to_today(self) -> None:
        """Return the newest release: what is newer than the bindings, nothing that is retired."""
        for old in history.RETIRED:
            if f"substrait.{old.message}" in self.messages:
                self.remove(old.message, old.name)
        self.declare(history.NEWER)
        for field in history.NEWER:
            self.add(field)
        # An alternative of a oneof that 0.107 made; alone it was a plain field.
        invocation = self.message("Expression.LambdaInvocation")
        next(f for f in invocation.field if f.number == 1).oneof_index = _oneof(
            invocation, "lambda_type"
        )

    def to_history(self) -> None:
        """Today and everything retired, renamed enum members included."""
        for enum in history.RETIRED_ENUMS:
            self._add_enum(enum)
        self.remove("PlanRel", "detached_expressions")
        self.declare(history.RETIRED)
        for field in (*history.RETIRED, *history.SPELLINGS):
            self.add(field)
        for message, name in history.PRESENCE:
            owner = self.message(message)
            _give_presence(owner, next(f for f in owner.field if f.name == name))
        for alias in history.ALIASES:
            members = self.enums[f"substrait.{alias.enum}"]
            members.options.allow_alias = True
            members.value.add(name=alias.name, number=alias.number)

    def _add_enum(self, enum: history.EnumType) -> None:
        if f"substrait.{enum.name}" not in self.enums:
            parent, _, own = enum.name.rpartition(".")
            made = self.message(parent).enum_type.add(name=own)
            for name, number in enum.members:
                made.value.add(name=name, number=number)
            self.enums[f"substrait.{enum.name}"] = made

    def to_old_text(self) -> None:
        """Retyped fields as they were."""
        self.declare(history.RETYPED)
        for field in history.RETYPED:
            self.remove(field.message, field.name)
        for field in history.RETYPED:
            self.add(field)

    def to_json(self) -> None:
        """``Any`` as a plain message.

        JSON of a type that nobody here knows must not stop the reading.
        """
        for field in (
            Field(_OPAQUE[11:], 1, "type_url", "string"),
            Field(_OPAQUE[11:], 2, "value", "bytes"),
        ):
            self.add(field)
        for message in self.messages.values():
            for field_proto in message.field:
                if field_proto.type_name == _ANY:
                    field_proto.type_name = _OPAQUE

    def add_shell(self) -> None:
        """Add a message that holds a group of itself, or a plan: two bytes for each shell."""
        file = self.files.setdefault("substrait/shell.proto", descriptor_pb2.FileDescriptorProto())
        file.name, file.package, file.syntax = "substrait/shell.proto", "substrait", "proto2"
        file.dependency.extend(
            n for n in self.files if n.endswith(("/plan.proto", "/extended_expression.proto"))
        )
        shell = file.message_type.add(name="Shell")
        for number, name, kind, type_ in (
            (1, "shell", "Shell", _FieldProto.TYPE_GROUP),
            (2, "plan", "Plan", _FieldProto.TYPE_MESSAGE),
            (3, "extended_expression", "ExtendedExpression", _FieldProto.TYPE_MESSAGE),
        ):
            shell.field.add(
                name=name,
                number=number,
                type=type_,
                type_name=f".substrait.{kind}",
                label=_FieldProto.LABEL_OPTIONAL,
            )

    def pool(self) -> descriptor_pool.DescriptorPool:
        """Return a pool of the edited files."""
        made = descriptor_pool.DescriptorPool()
        for file in self.files.values():
            _drop_empty_oneofs(file.message_type)
            _synthetic_oneofs_last(file.message_type)
            made.AddSerializedFile(file.SerializeToString())
        return made


def message(name: str, variant: Variant = Variant.TODAY) -> type[Message]:
    """Return the class of a message, such as ``Plan``; ``google.protobuf.*`` by its full name."""
    found = _CLASSES.get((name, variant))
    if found is None:
        full_name = name if name.startswith("google.") else f"substrait.{name}"
        with _LOCK:
            descriptor = _pool(variant).FindMessageTypeByName(full_name)
            _hold(descriptor, variant)
            found = _CLASSES.setdefault(
                (name, variant), message_factory.GetMessageClass(descriptor)
            )
    return found


def _hold(descriptor: Descriptor, variant: Variant) -> None:
    """Keeps the classes of the messages in a message.

    Protobuf forgets a class that nobody holds, and the garbage collector finds it: each plan would make its own again.
    """
    waiting = [descriptor]
    while waiting:
        found = waiting.pop()
        key = found.full_name, variant
        if key not in _HELD:
            _HELD[key] = message_factory.GetMessageClass(found)
            waiting += [f.message_type for f in found.fields if f.message_type is not None]


def probe(name: str, removed: tuple[tuple[str, str], ...]) -> type[Message]:
    """Today's message without the fields ``removed``: they become unknown fields."""
    found = _PROBES.get((name, removed))
    if found is None:
        with _LOCK:
            editor = _Editor()
            editor.to_today()
            for message, field in removed:
                editor.remove(message, field)
            descriptor = editor.pool().FindMessageTypeByName(f"substrait.{name}")
            found = _PROBES.setdefault((name, removed), message_factory.GetMessageClass(descriptor))
    return found


_CLASSES: dict[tuple[str, Variant], type[Message]] = {}
_PROBES: dict[tuple[str, tuple[tuple[str, str], ...]], type[Message]] = {}
_HELD: dict[tuple[str, Variant], type[Message]] = {}
_POOLS: dict[Variant, descriptor_pool.DescriptorPool] = {}
_LOCK = RLock()


def _pool(variant: Variant) -> descriptor_pool.DescriptorPool:
    if variant not in _POOLS:
        editor = _Editor()
        editor.to_today()
        if variant is Variant.TODAY:
            editor.add_shell()
            for field in (_STRUCT_NAMES, *_TYPE_NAMES):
                editor.add(field)
        else:
            editor.to_history()
        if variant is Variant.JSON:
            editor.to_json()
        if variant is Variant.OLD_TEXT:
            editor.to_old_text()
        _POOLS[variant] = editor.pool()
    return _POOLS[variant]


def _closure(files: Iterable[FileDescriptor]) -> Iterator[FileDescriptor]:
    seen: set[str] = set()

    def visit(file: FileDescriptor) -> Iterator[FileDescriptor]:
        if file.name not in seen:
            seen.add(file.name)
            for dependency in file.dependencies:
                yield from visit(dependency)
            yield file

    for file in files:
        yield from visit(file)


def _copy(file: FileDescriptor) -> descriptor_pb2.FileDescriptorProto:
    made = descriptor_pb2.FileDescriptorProto()
    file.CopyToProto(made)
    return made


def _json_name(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _oneof(message: descriptor_pb2.DescriptorProto, name: str) -> int:
    for i, oneof in enumerate(message.oneof_decl):
        if oneof.name == name:
            return i
    message.oneof_decl.add(name=name)
    return len(message.oneof_decl) - 1


def _give_presence(
    message: descriptor_pb2.DescriptorProto, field: descriptor_pb2.FieldDescriptorProto
) -> None:
    field.oneof_index = _oneof(message, f"_{field.name}")
    field.proto3_optional = True


def _reorder_oneofs(message: descriptor_pb2.DescriptorProto, order: list[int]) -> None:
    names = [message.oneof_decl[i].name for i in order]
    del message.oneof_decl[:]
    for name in names:
        message.oneof_decl.add(name=name)
    place = {old: new for new, old in enumerate(order)}
    for field in message.field:
        if field.HasField("oneof_index"):
            field.oneof_index = place[field.oneof_index]


def _drop_empty_oneofs(messages: Iterable[descriptor_pb2.DescriptorProto]) -> None:
    for message in messages:
        used = {f.oneof_index for f in message.field if f.HasField("oneof_index")}
        if len(used) < len(message.oneof_decl):
            _reorder_oneofs(message, sorted(used))
        _drop_empty_oneofs(message.nested_type)


def _synthetic_oneofs_last(messages: Iterable[descriptor_pb2.DescriptorProto]) -> None:
    """Protobuf demands that the oneofs behind ``optional`` come after the real ones."""
    for message in messages:
        synthetic = {f.oneof_index for f in message.field if f.proto3_optional}
        if synthetic:
            _reorder_oneofs(
                message, sorted(range(len(message.oneof_decl)), key=lambda i: (i in synthetic, i))
            )
        _synthetic_oneofs_last(message.nested_type)
