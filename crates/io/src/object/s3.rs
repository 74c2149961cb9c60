//! S3 and stores that speak its protocol.

use std::collections::BTreeMap;
use std::sync::Arc;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey, S3ConditionalPut};

use super::ObjectStorage;
use crate::{Env, Error, ErrorKind, Result};

/// Prefixes under which users of Flink, Spark and Hadoop write the same settings.
const PREFIXES: [&str; 4] = ["fs.s3a.", "fs.s3.", "s3a.", "s3."];

const VARIABLES: [(&str, AmazonS3ConfigKey); 9] = [
    ("AWS_ACCESS_KEY_ID", AmazonS3ConfigKey::AccessKeyId),
    ("AWS_SECRET_ACCESS_KEY", AmazonS3ConfigKey::SecretAccessKey),
    ("AWS_SESSION_TOKEN", AmazonS3ConfigKey::Token),
    ("AWS_DEFAULT_REGION", AmazonS3ConfigKey::Region),
    ("AWS_REGION", AmazonS3ConfigKey::Region),
    ("AWS_ENDPOINT_URL", AmazonS3ConfigKey::Endpoint),
    ("AWS_ENDPOINT_URL_S3", AmazonS3ConfigKey::Endpoint),
    ("AWS_WEB_IDENTITY_TOKEN_FILE", AmazonS3ConfigKey::WebIdentityTokenFile),
    ("AWS_ROLE_ARN", AmazonS3ConfigKey::RoleArn),
];

/// The store of one bucket: options first, `AWS_*` variables where they say nothing.
pub(crate) fn s3(bucket: &str, options: &BTreeMap<String, String>, env: &Env) -> Result<ObjectStorage> {
    let mut builder = AmazonS3Builder::new().with_bucket_name(bucket);
    for (name, key) in VARIABLES {
        if let Some(value) = env.var(name) {
            builder = builder.with_config(key, value);
        }
    }
    let mut creates_new = true;
    for (key, value) in options {
        let Some(setting) = PREFIXES.iter().find_map(|prefix| key.strip_prefix(prefix)) else { continue };
        match setting.replace('-', ".").as_str() {
            "endpoint" => builder = builder.with_endpoint(endpoint(value)),
            "access.key" | "access.key.id" => builder = builder.with_access_key_id(value),
            "secret.key" | "secret.access.key" => builder = builder.with_secret_access_key(value),
            "session.token" | "security.token" => builder = builder.with_token(value),
            "region" | "endpoint.region" => builder = builder.with_region(value),
            "path.style.access" => builder = builder.with_virtual_hosted_style_request(!boolean(key, value)?),
            "anonymous" => builder = builder.with_skip_signature(boolean(key, value)?),
            "conditional.put" => {
                creates_new = boolean(key, value)?;
            }
            _ => {
                let known = "endpoint, access-key, secret-key, session-token, region, path.style.access, anonymous, conditional-put";
                return Err(Error::new(
                    ErrorKind::InvalidInput,
                    format!("there is no option '{key}'; known are s3.{{{known}}}"),
                ));
            }
        }
    }
    if builder.get_config_value(&AmazonS3ConfigKey::Region).is_none() {
        builder = builder.with_region("us-east-1");
    }
    if builder.get_config_value(&AmazonS3ConfigKey::Endpoint).is_some_and(|endpoint| endpoint.starts_with("http://")) {
        builder = builder.with_allow_http(true);
    }
    let conditional = if creates_new { S3ConditionalPut::ETagMatch } else { S3ConditionalPut::Disabled };
    let store = builder.with_conditional_put(conditional).build().map_err(|e| {
        Error::new(ErrorKind::InvalidInput, format!("these S3 settings make no client: {e}")).with_source(e)
    })?;
    Ok(ObjectStorage::new(Arc::new(store), creates_new))
}

fn endpoint(value: &str) -> String {
    let full = if value.contains("://") { value.to_owned() } else { format!("https://{value}") };
    full.trim_end_matches('/').to_owned()
}

fn boolean(key: &str, value: &str) -> Result<bool> {
    value.trim().to_ascii_lowercase().parse().map_err(|_| {
        Error::new(ErrorKind::InvalidInput, format!("option '{key}' is true or false")).with("value", value)
    })
}
