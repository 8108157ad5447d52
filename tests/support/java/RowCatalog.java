import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.NoSuchTableException;
import org.apache.spark.sql.catalyst.analysis.TableAlreadyExistsException;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.catalog.*;
import org.apache.spark.sql.connector.expressions.LiteralValue;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.*;
import org.apache.spark.sql.connector.write.*;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Tables in memory that take UPDATE, DELETE and MERGE, under names of any depth: for a local session.
 *
 * A session that gets this class while it runs loads it twice, for its driver and for its tasks. So what both see is
 * kept in a map of the virtual machine, and is made of its own classes and of Spark's.
 */
public class RowCatalog implements TableCatalog {
  static final Map<String, RowTable> TABLES = new ConcurrentHashMap<>();
  private String name;

  @SuppressWarnings("unchecked")
  static Map<String, List<Object[]>> rows() {
    return (Map<String, List<Object[]>>)
        System.getProperties().computeIfAbsent("RowCatalog", k -> new ConcurrentHashMap<String, List<Object[]>>());
  }

  public void initialize(String name, CaseInsensitiveStringMap options) { this.name = name; }

  public String name() { return name; }

  public Set<TableCatalogCapability> capabilities() {
    return Set.of(TableCatalogCapability.SUPPORT_COLUMN_DEFAULT_VALUE);
  }

  private String key(Identifier at) { return name + "." + at; }

  public Identifier[] listTables(String[] namespace) { return new Identifier[0]; }

  public Table loadTable(Identifier at) throws NoSuchTableException {
    RowTable found = TABLES.get(key(at));
    if (found == null) throw new NoSuchTableException(at);
    return found;
  }

  public Table createTable(Identifier at, Column[] columns, Transform[] parts, Map<String, String> properties)
      throws TableAlreadyExistsException {
    if (TABLES.containsKey(key(at))) throw new TableAlreadyExistsException(at);
    TABLES.put(key(at), new RowTable(key(at), columns));
    rows().put(key(at), List.of());
    return TABLES.get(key(at));
  }

  public Table alterTable(Identifier at, TableChange... changes) {
    List<Column> columns = new ArrayList<>(Arrays.asList(TABLES.get(key(at)).columns));
    for (TableChange each : changes) {
      TableChange.ColumnChange change = (TableChange.ColumnChange) each;
      int i = 0;
      while (i < columns.size() && !columns.get(i).name().equals(change.fieldNames()[0])) i++;
      int place = i;
      Column old = place < columns.size() ? columns.get(place) : null;
      if (change instanceof TableChange.DeleteColumn) {
        columns.remove(place);
        change(at, row -> row.remove(place));
      } else if (change instanceof TableChange.AddColumn added) {
        ColumnDefaultValue value = added.defaultValue();
        columns.add(Column.create(change.fieldNames()[0], added.dataType(), added.isNullable(), null, value, null));
        change(at, row -> row.add(value == null ? null : value.getValue().value()));
      } else if (change instanceof TableChange.UpdateColumnType changed) {
        columns.set(place, Column.create(
            old.name(), changed.newDataType(), old.nullable(), null, old.defaultValue(), null));
        change(at, row -> row.set(place, Long.valueOf(((Number) row.get(place)).longValue())));
      } else if (change instanceof TableChange.UpdateColumnNullability changed) {
        columns.set(place, Column.create(
            old.name(), old.dataType(), changed.nullable(), null, old.defaultValue(), null));
      } else if (change instanceof TableChange.UpdateColumnDefaultValue changed) {
        DefaultValue now = changed.newCurrentDefault();
        columns.set(place, Column.create(old.name(), old.dataType(), old.nullable(), null, now == null ? null
            : new ColumnDefaultValue(now.getSql(), LiteralValue.apply(null, old.dataType())), null));
      } else throw new UnsupportedOperationException(change.toString());
    }
    TABLES.put(key(at), new RowTable(key(at), columns.toArray(Column[]::new)));
    return TABLES.get(key(at));
  }

  private void change(Identifier at, Consumer<List<Object>> change) {
    List<Object[]> changed = new ArrayList<>();
    for (Object[] row : rows().get(key(at))) {
      List<Object> values = new ArrayList<>(Arrays.asList(row));
      change.accept(values);
      changed.add(values.toArray());
    }
    rows().put(key(at), changed);
  }

  public boolean dropTable(Identifier at) { return TABLES.remove(key(at)) != null; }

  public void renameTable(Identifier from, Identifier to) { throw new UnsupportedOperationException(); }

  static class RowTable implements SupportsRead, SupportsWrite, SupportsRowLevelOperations {
    final String key;
    final Column[] columns;

    RowTable(String key, Column[] columns) { this.key = key; this.columns = columns; }

    public String name() { return key; }

    public Column[] columns() { return columns; }

    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE, TableCapability.TRUNCATE);
    }

    StructType struct() {
      return new StructType(Arrays.stream(columns)
          .map(c -> new StructField(c.name(), c.dataType(), c.nullable(), org.apache.spark.sql.types.Metadata.empty()))
          .toArray(StructField[]::new));
    }

    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) { return () -> new RowScan(key, struct()); }

    public WriteBuilder newWriteBuilder(LogicalWriteInfo info) { return new RowWriter(this, false); }

    public RowLevelOperationBuilder newRowLevelOperationBuilder(RowLevelOperationInfo info) {
      return () -> new RowLevelOperation() {
        public Command command() { return info.command(); }

        public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
          return RowTable.this.newScanBuilder(options);
        }

        public WriteBuilder newWriteBuilder(LogicalWriteInfo write) { return new RowWriter(RowTable.this, true); }
      };
    }
  }

  record All() implements InputPartition { }

  record RowScan(String key, StructType readSchema) implements Scan, Batch {
    public Batch toBatch() { return this; }

    public InputPartition[] planInputPartitions() { return new InputPartition[] {new All()}; }

    public PartitionReaderFactory createReaderFactory() { return new Readers(key); }
  }

  record Readers(String key) implements PartitionReaderFactory {
    public PartitionReader<InternalRow> createReader(InputPartition all) {
      var rows = rows().get(key).iterator();
      return new PartitionReader<>() {
        private Object[] row;

        public boolean next() {
          if (!rows.hasNext()) return false;
          row = rows.next();
          return true;
        }

        public InternalRow get() { return new GenericInternalRow(row); }

        public void close() { }
      };
    }
  }

  static class RowWriter implements WriteBuilder, SupportsTruncate, Write, BatchWrite {
    private final RowTable table;
    private boolean replaces;

    RowWriter(RowTable table, boolean replaces) { this.table = table; this.replaces = replaces; }

    public WriteBuilder truncate() { replaces = true; return this; }

    public Write build() { return this; }

    public BatchWrite toBatch() { return this; }

    public DataWriterFactory createBatchWriterFactory(PhysicalWriteInfo info) {
      return new Writers(Arrays.stream(table.columns).map(Column::dataType).toArray(DataType[]::new));
    }

    public void commit(WriterCommitMessage[] messages) {
      List<Object[]> all = new ArrayList<>(replaces ? List.of() : rows().get(table.key));
      for (WriterCommitMessage each : messages) all.addAll(rows().remove(each.toString()));
      rows().put(table.key, all);
    }

    public void abort(WriterCommitMessage[] messages) { }
  }

  record Written(String key) implements WriterCommitMessage {
    public String toString() { return key; }
  }

  record Writers(DataType[] types) implements DataWriterFactory, Serializable {
    public DataWriter<InternalRow> createWriter(int partition, long task) {
      var written = new ArrayList<Object[]>();
      return new DataWriter<>() {
        public void write(InternalRow given) {
          Object[] row = new Object[types.length];
          InternalRow kept = given.copy();
          for (int i = 0; i < types.length; i++) row[i] = kept.get(i, types[i]);
          written.add(row);
        }

        public WriterCommitMessage commit() {
          String key = "task " + task;
          rows().put(key, written);
          return new Written(key);
        }

        public void abort() { }

        public void close() { }
      };
    }
  }
}
