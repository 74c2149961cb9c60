//! Every type written and read back, with filters, skipped rows and row groups.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::cast::AsArray as _;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use futures::TryStreamExt as _;
use headwater_format::{ReadRequest, RowSet, WriterOptions, format_for};
use headwater_io::FileIo;
use headwater_types::{
    DataField, DataType, Datum, ErrorKind, Leaf, LeafTest, Predicate, StatsMode, TypeKind, array_from_datums,
    arrow_schema, with_arrow_type,
};
use parquet::file::metadata::ParquetMetaDataReader;

fn options(fields: usize) -> WriterOptions {
    WriterOptions {
        compression: "zstd".to_owned(),
        zstd_level: 1,
        block_size: None,
        stats: vec![StatsMode::Full; fields],
        distinct: Vec::new(),
        options: BTreeMap::new(),
    }
}

fn batch(fields: &[DataField], columns: &[Vec<Option<Datum>>]) -> RecordBatch {
    let schema = arrow_schema(fields);
    let arrays = fields.iter().zip(columns).zip(schema.fields()).map(|((field, values), arrow)| {
        let array = array_from_datums(&field.data_type, values).unwrap();
        with_arrow_type(&array, arrow.data_type()).unwrap()
    });
    let arrays: Vec<ArrayRef> = arrays.collect();
    RecordBatch::try_new(schema, arrays).unwrap()
}

async fn write(
    io: &FileIo,
    fields: &[DataField],
    batches: &[RecordBatch],
    options: WriterOptions,
) -> headwater_format::FileSummary {
    let mut writer = format_for("parquet").unwrap().writer(io, "f.parquet", fields, options).await.unwrap();
    for batch in batches {
        writer.write(batch).await.unwrap();
    }
    writer.finish().await.unwrap()
}

async fn read(io: &FileIo, request: ReadRequest) -> Vec<RecordBatch> {
    let reader = format_for("parquet").unwrap().open(io, "f.parquet", None, request).await.unwrap();
    reader.batches.try_collect().await.unwrap()
}

#[tokio::test]
async fn every_type_comes_back() {
    let text = |t: &str| Some(Datum::String(t.to_owned()));
    let stamp = |millis, nanos| Some(Datum::Timestamp { millis, nanos });
    let decimal = |unscaled, scale| Some(Datum::Decimal { unscaled, scale });
    let cases: Vec<(TypeKind, Option<Datum>)> = vec![
        (TypeKind::Boolean, Some(Datum::Boolean(true))),
        (TypeKind::TinyInt, Some(Datum::TinyInt(-7))),
        (TypeKind::SmallInt, Some(Datum::SmallInt(-300))),
        (TypeKind::Int, Some(Datum::Int(i32::MIN))),
        (TypeKind::BigInt, Some(Datum::BigInt(i64::MAX))),
        (TypeKind::Float, Some(Datum::Float(1.5))),
        (TypeKind::Double, Some(Datum::Double(-2.5))),
        (TypeKind::Decimal { precision: 9, scale: 2 }, decimal(-150, 2)),
        (TypeKind::Decimal { precision: 18, scale: 0 }, decimal(10i128.pow(17), 0)),
        (TypeKind::Decimal { precision: 38, scale: 5 }, decimal(-(10i128.pow(37)), 5)),
        (TypeKind::STRING, text("中文")),
        (TypeKind::Char { length: 3 }, text("a")),
        (TypeKind::BYTES, Some(Datum::Bytes(vec![0, 255]))),
        (TypeKind::Date, Some(Datum::Date(-1))),
        (TypeKind::Time { precision: 3 }, Some(Datum::Time(3_723_004))),
        (TypeKind::Timestamp { precision: 3 }, stamp(-1, 0)),
        (TypeKind::Timestamp { precision: 6 }, stamp(1_700_000_000_123, 456_000)),
        (TypeKind::Timestamp { precision: 9 }, stamp(-1, 999_999)),
        (TypeKind::LocalZonedTimestamp { precision: 3 }, stamp(1_700_000_000_123, 0)),
        (TypeKind::LocalZonedTimestamp { precision: 6 }, stamp(5, 6_000)),
        (TypeKind::Array(Box::new(TypeKind::Int.into())), Some(Datum::Array(vec![Some(Datum::Int(1)), None]))),
        (
            TypeKind::Map {
                key: Box::new(DataType::new(TypeKind::STRING, false)),
                value: Box::new(TypeKind::BigInt.into()),
            },
            Some(Datum::Map(vec![(text("k"), Some(Datum::BigInt(1))), (text("n"), None)])),
        ),
        (
            TypeKind::Multiset(Box::new(TypeKind::STRING.into())),
            Some(Datum::Map(vec![(text("m"), Some(Datum::Int(2)))])),
        ),
        (
            TypeKind::Row(vec![DataField::new(100, "a", TypeKind::Int), DataField::new(101, "b", TypeKind::STRING)]),
            Some(Datum::Row(vec![Some(Datum::Int(1)), None])),
        ),
    ];
    for (kind, value) in cases {
        let io = FileIo::memory();
        let fields = [DataField::new(0, "c", kind.clone())];
        let written = batch(&fields, &[vec![value.clone(), None, value]]);
        let summary = write(&io, &fields, std::slice::from_ref(&written), options(1)).await;
        assert_eq!(summary.rows, 3);
        let found = read(&io, ReadRequest::new(fields.to_vec())).await;
        assert_eq!(found[0].column(0), written.column(0), "{kind:?}");
    }
}

struct Evens;

impl RowSet for Evens {
    fn contains(&self, position: u64) -> bool {
        position.is_multiple_of(2)
    }
}

#[tokio::test]
async fn filters_and_skipped_rows_agree_with_the_whole() {
    let io = FileIo::memory();
    let fields = [DataField::new(0, "k", TypeKind::Int), DataField::new(1, "v", TypeKind::STRING)];
    let batches: Vec<RecordBatch> = (0..10)
        .map(|part| {
            let keys = (0..1000).map(|i| Some(Datum::Int(part * 1000 + i))).collect();
            let values = (0..1000).map(|i| Some(Datum::String(format!("value {i}")))).collect();
            batch(&fields, &[keys, values])
        })
        .collect();
    // Row groups of little more than one batch.
    write(&io, &fields, &batches, WriterOptions { block_size: Some(2_000), ..options(2) }).await;
    let filter = Predicate::Leaf(Leaf {
        column: "k".to_owned(),
        data_type: fields[0].data_type.clone(),
        test: LeafTest::GreaterOrEqual(Datum::Int(9_990)),
    });
    let request = ReadRequest { filter: Some(filter), exact_filter: true, ..ReadRequest::new(fields.to_vec()) };
    let reader = format_for("parquet").unwrap().open(&io, "f.parquet", None, request.clone()).await.unwrap();
    assert!(
        reader.row_groups > 3 && reader.skipped_row_groups + 2 >= reader.row_groups,
        "{}",
        reader.skipped_row_groups
    );
    let keys = |batches: Vec<RecordBatch>| -> Vec<i32> {
        batches.iter().flat_map(|b| b.column(0).as_primitive::<Int32Type>().values().to_vec()).collect()
    };
    assert_eq!(keys(read(&io, request.clone()).await), (9_990..10_000).collect::<Vec<_>>());
    let odd = ReadRequest { skip_rows: Some(Arc::new(Evens)), ..request };
    assert_eq!(keys(read(&io, odd).await), [9_991, 9_993, 9_995, 9_997, 9_999]);
    let only_v = ReadRequest { skip_rows: Some(Arc::new(Evens)), ..ReadRequest::new(vec![fields[1].clone()]) };
    assert_eq!(read(&io, only_v).await.iter().map(RecordBatch::num_rows).sum::<usize>(), 5_000);
}

/// Whatever is fetched at once, the rows are the same, and no fetch is much larger than was asked for.
#[tokio::test]
async fn row_groups_read_in_windows_give_the_same_rows() {
    let io = FileIo::memory();
    let list = TypeKind::Array(Box::new(TypeKind::Int.into()));
    let fields =
        [DataField::new(0, "k", TypeKind::Int), DataField::new(1, "v", TypeKind::STRING), DataField::new(2, "l", list)];
    let rows = 120_000;
    let keys = (0..rows).map(|i| Some(Datum::Int(i))).collect();
    let values = (0..rows)
        .map(|i| (i % 3 > 0).then(|| Datum::String(format!("{}", u64::from(i.unsigned_abs()) * 7919))))
        .collect();
    let lists = (0..rows)
        .map(|i| (i % 5 > 0).then(|| Datum::Array(vec![Some(Datum::Int(i)); usize::try_from(i % 4).unwrap()])))
        .collect();
    let whole = batch(&fields, &[keys, values, lists]);
    write(&io, &fields, std::slice::from_ref(&whole), options(3)).await;
    let all = ReadRequest::new(fields.to_vec());
    for (columns, skip, window_bytes) in
        [(0..3, false, 1), (0..3, false, 100_000), (0..3, true, 200_000), (1..3, true, 1), (0..1, false, 50_000)]
    {
        let skip_rows = skip.then(|| Arc::new(Evens) as Arc<dyn RowSet>);
        let request = ReadRequest { columns: fields[columns].to_vec(), skip_rows, ..all.clone() };
        let expected = read(&io, request.clone()).await;
        let found = read(&io, ReadRequest { window_bytes: Some(window_bytes), ..request }).await;
        let schema = expected[0].schema();
        let joined = |batches: &[RecordBatch]| arrow_select::concat::concat_batches(&schema, batches).unwrap();
        assert_eq!(joined(&found), joined(&expected), "{window_bytes}");
        assert_eq!(joined(&found).num_rows(), if skip { 60_000 } else { 120_000 });
    }
}

#[tokio::test]
async fn distinct_columns_have_no_dictionary_unless_it_is_asked_for() {
    let io = FileIo::memory();
    let fields = [DataField::new(0, "k", TypeKind::Int), DataField::new(1, "v", TypeKind::Int)];
    let numbers = |modulus: i32| (0..5_000).map(|i| Some(Datum::Int(i % modulus))).collect();
    let batches = [batch(&fields, &[numbers(5_000), numbers(7)])];
    let always = [("parquet.enable.dictionary".to_owned(), "true".to_owned())];
    for (asked, wanted) in [(BTreeMap::new(), [false, true]), (always.into(), [true, true])] {
        let distinct = vec!["k".to_owned()];
        write(&io, &fields, &batches, WriterOptions { distinct, options: asked, ..options(2) }).await;
        let bytes = io.read("f.parquet").await.unwrap();
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&bytes).unwrap();
        let found = metadata.row_group(0).columns().iter().map(|c| c.dictionary_page_offset().is_some());
        assert_eq!(found.collect::<Vec<_>>(), wanted);
        assert_eq!(read(&io, ReadRequest::new(fields.to_vec())).await, batches);
    }
}

#[tokio::test]
async fn what_is_not_there_is_named() {
    for (name, kind) in
        [("orc", ErrorKind::Unsupported), ("lance", ErrorKind::Unsupported), ("xls", ErrorKind::InvalidInput)]
    {
        let Err(error) = format_for(name) else { panic!("{name} is there") };
        assert_eq!(error.kind(), kind);
        assert!(error.message().contains(name));
    }
    let io = FileIo::memory();
    let fields = [DataField::new(0, "k", TypeKind::Int)];
    let lzo = WriterOptions { compression: "lzo".to_owned(), ..options(1) };
    let Err(error) = format_for("parquet").unwrap().writer(&io, "x", &fields, lzo).await else {
        panic!("lzo is there")
    };
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let missing = format_for("parquet").unwrap().open(&io, "nowhere", None, ReadRequest::new(fields.to_vec())).await;
    let Err(error) = missing else { panic!("the file is there") };
    assert_eq!(error.kind(), ErrorKind::NotFound);
}
