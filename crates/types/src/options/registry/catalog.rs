//! Options of catalogs.

use super::reasons::CATALOG_CACHE;
use crate::options::spec::options;

options! {
    /// Catalog (CatalogOptions).
    CATALOG: Catalog;
    "warehouse": String => Implemented;
        "Root path of the catalog"
    "metastore": String = "filesystem" => Implemented;
        "Catalog kind: filesystem, jdbc, hive, rest, ..."
    "uri": String => Refused("catalogs behind an address (JDBC, Hive, REST)");
        "Metastore, JDBC or REST address"
    "table.type": Enum["managed", "external"] = "managed" => Refused("unmanaged tables");
        "Kind of tables the catalog creates"
    "lock.enabled": Bool => Refused("catalog locks");
        "Use the catalog lock; default: warehouse is an object store"
    "lock.type": String => Refused("catalog locks");
        "Lock factory: jdbc, hive, ...; default of the catalog"
    "lock-check-max-sleep": Duration = "8 s" => Ignored("without effect without a catalog lock, which is refused");
        "Largest wait between lock tries"
    "lock-acquire-timeout": Duration = "8 min" => Ignored("without effect without a catalog lock, which is refused");
        "Give up (and expiry of the JDBC lock row)"
    "client-pool-size": Int = "2" => Ignored("there are no metastore connections");
        "Connections of JDBC/Hive clients"
    "cache-enabled": Bool = "true" => Ignored(CATALOG_CACHE);
        "Cache databases, tables, partitions, manifests"
    "cache.expire-after-access" | "cache.expiration-interval": Duration = "10 min" => Ignored(CATALOG_CACHE);
        "Idle expiry"
    "cache.expire-after-write": Duration = "30 min" => Ignored(CATALOG_CACHE);
        "Absolute expiry"
    "cache.partition.max-num": Long = "0" => Ignored(CATALOG_CACHE);
        "Cached partitions; 0 off"
    "cache.manifest.small-file-memory": Bytes = "128 mb" => Ignored(CATALOG_CACHE);
        "Memory for small manifests"
    "cache.manifest.small-file-threshold": Bytes = "1 mb" => Ignored(CATALOG_CACHE);
        "Size of a small manifest"
    "cache.manifest.max-memory": Bytes => Ignored(CATALOG_CACHE);
        "Memory for all manifests; unset = small ones only"
    "cache.manifest.soft-values": Bool = "true" => Ignored(CATALOG_CACHE);
        "Hold manifests by soft references"
    "cache.snapshot.max-num-per-table": Int = "20" => Ignored(CATALOG_CACHE);
        "Cached snapshots per table"
    "cache.deletion-vectors.max-num": Int = "100000" => Ignored(CATALOG_CACHE);
        "Cached DV metas"
    "case-sensitive" | "allow-upper-case": Bool => Refused("another rule for letter case");
        "Override case sensitivity"
    "sync-all-properties": Bool = "true" => Ignored("there is no metastore to copy to");
        "Copy table options to the metastore"
    "format-table.enabled": Bool = "true" => Ignored("format tables are refused one by one");
        "Support format tables"
    "catalog-options-table.enabled": Bool = "false" => Refused("the table sys.catalog_options");
        "Offer sys.catalog_options"
    "resolving-file-io.enabled": Bool = "false" => Refused("file access by path scheme");
        "Choose file access per path scheme"
    "file-io.allow-cache": Bool = "true" => Ignored(CATALOG_CACHE);
        "Allow static caches in file access"
    "local-cache.enabled": Bool = "false" => Ignored(CATALOG_CACHE);
        "Local block cache of file reads"
    "local-cache.dir": String => Ignored(CATALOG_CACHE);
        "Disk directory; unset = memory"
    "local-cache.max-size": Bytes => Ignored(CATALOG_CACHE);
        "Limit"
    "local-cache.block-size": Bytes = "1 mb" => Ignored(CATALOG_CACHE);
        "Block size"
    "local-cache.whitelist": String = "meta,global-index" => Ignored(CATALOG_CACHE);
        "File kinds cached: meta, global-index, bucket-index, data, file-index"
}

options! {
    /// REST catalog (RESTCatalogOptions, RESTTokenFileIO).
    REST: Catalog;
    "uri": String => Refused("the REST catalog");
        "Server address"
    "prefix": String => Refused("the REST catalog");
        "Path prefix, normally from the server config"
    "token": String => Refused("the REST catalog");
        "Bearer token"
    "token.provider": String => Refused("the REST catalog");
        "Bear, dlf or a custom name"
    "dlf.region": String => Refused("the REST catalog");
        "Region; default parsed from uri"
    "dlf.token-path": String => Refused("the REST catalog");
        "File with token JSON"
    "dlf.access-key-id": String => Refused("the REST catalog");
        "Key id"
    "dlf.access-key-secret": String => Refused("the REST catalog");
        "Key secret"
    "dlf.security-token": String => Refused("the REST catalog");
        "Session token"
    "dlf.token-loader": String => Refused("the REST catalog");
        "Ecs, local_file, custom"
    "dlf.token-ecs-metadata-url": String = "http://100.100.100.200/latest/meta-data/Ram/security-credentials/"
        => Refused("the REST catalog");
        "Metadata service"
    "dlf.token-ecs-role-name": String => Refused("the REST catalog");
        "Role; default asked from the service"
    "header.User-Agent": String => Refused("the REST catalog");
        "User agent; any header.X sets header X"
    "dlf.oss-endpoint": String => Refused("the REST catalog");
        "Overrides fs.oss.endpoint of data tokens"
    "dlf.signing-algorithm": String = "default" => Refused("the REST catalog");
        "Default or openapi; picked from the uri if not set"
    "io-cache.enabled": Bool = "false" => Refused("the REST catalog");
        "File cache (Jindo)"
    "io-cache.whitelist-path": String = "bucket,manifest,index" => Refused("the REST catalog");
        "Path patterns cached"
    "io-cache.policy": String => Refused("the REST catalog");
        "Meta,read,write combination sent by the server"
    "data-token.enabled": Bool = "false" => Refused("the REST catalog");
        "Use per-table tokens for file access"
}

options! {
    /// JDBC catalog (JdbcCatalogOptions).
    JDBC: Catalog;
    "catalog-key": String = "jdbc" => Refused("the JDBC catalog");
        "Separates catalogs in one database"
    "lock-key-max-length": Int = "255" => Refused("the JDBC catalog");
        "Length of the lock_id column"
}

options! {
    /// Hadoop, security, privileges (catalog options).
    SECURITY: Catalog;
    "hadoop-conf-loader": Enum["all", "env", "option"] = "all" => Ignored("Headwater uses no Hadoop client");
        "Where Hadoop configuration comes from"
    "hadoop-load-default-config": Bool = "true" => Ignored("Headwater uses no Hadoop client");
        "Load Hadoop default files"
    "security.kerberos.login.keytab" | "security.keytab": String => Refused("Kerberos");
        "Keytab path"
    "security.kerberos.login.principal" | "security.principal": String => Refused("Kerberos");
        "Principal"
    "security.kerberos.login.use-ticket-cache": Bool = "true" => Ignored("Headwater uses no Hadoop client");
        "Use the ticket cache"
    "user": String = "anonymous" => Refused("the file-based privilege system");
        "User of the file-based privilege system"
    "password": String = "anonymous" => Refused("the file-based privilege system");
        "Its password"
}
