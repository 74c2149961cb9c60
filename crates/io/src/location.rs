//! From the text of a location to a store and a prefix in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use url::Url;

use crate::local::LocalStore;
use crate::object::{self, ObjectStorage};
use crate::{Env, Error, ErrorKind, Result, Store};

/// A store, the text naming its root, and the prefix below it that was asked for.
pub(crate) struct Opened {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) root: String,
    pub(crate) prefix: String,
}

pub(crate) fn open(location: &str, options: &BTreeMap<String, String>, env: &Env) -> Result<Opened> {
    match location.split_once(':') {
        Some(("file", _)) => local(&file_path(location)?, options, env),
        Some((scheme, rest)) if rest.starts_with("//") => {
            let url = parse(location)?;
            match scheme {
                "memory" => memory(&url, env),
                "s3" | "s3a" | "s3n" => s3(&url, location, options, env),
                other => Err(Error::new(
                    ErrorKind::Unsupported,
                    format!(
                        "locations of scheme '{other}' are not supported; use a directory, file://, s3:// or memory://"
                    ),
                )
                .with("location", location)),
            }
        }
        _ => local(Path::new(location), options, env),
    }
}

fn parse(location: &str) -> Result<Url> {
    Url::parse(location).map_err(|e| {
        Error::new(ErrorKind::InvalidInput, format!("this is not a location: {e}"))
            .with("location", location)
            .with_source(e)
    })
}

fn file_path(location: &str) -> Result<PathBuf> {
    parse(location)?.to_file_path().map_err(|()| {
        Error::new(ErrorKind::InvalidInput, "a file location needs an absolute path, as in file:///data/warehouse")
            .with("location", location)
    })
}

fn local(path: &Path, options: &BTreeMap<String, String>, env: &Env) -> Result<Opened> {
    if path.as_os_str().is_empty() {
        return Err(Error::new(ErrorKind::InvalidInput, "the location is empty; name a directory"));
    }
    let absolute =
        normal(&std::path::absolute(path).map_err(|e| Error::from_os(e, "resolve the path", path.display()))?);
    let Some(root) = absolute.to_str() else {
        return Err(Error::new(ErrorKind::InvalidInput, "the path is not valid UTF-8").with("path", path.display()));
    };
    let durable = match options.get("local.durable").map(String::as_str) {
        None | Some("true") => true,
        Some("false") => false,
        Some(other) => {
            return Err(Error::new(ErrorKind::InvalidInput, "local.durable is true or false").with("value", other));
        }
    };
    let root = root.to_owned();
    Ok(Opened { store: Arc::new(LocalStore::new(absolute, durable, env.clone())), root, prefix: String::new() })
}

/// The path without `.` and `..`.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            std::path::Component::ParentDir => {
                normal.pop();
            }
            std::path::Component::CurDir => {}
            other => normal.push(other),
        }
    }
    normal
}

fn memory(url: &Url, env: &Env) -> Result<Opened> {
    let name = url.host_str().unwrap_or_default();
    let store = Arc::new(ObjectStorage::new(env.memory(name), true));
    Ok(Opened { store, root: format!("memory://{name}"), prefix: prefix(url)? })
}

fn s3(url: &Url, location: &str, options: &BTreeMap<String, String>, env: &Env) -> Result<Opened> {
    let Some(bucket) = url.host_str().filter(|host| !host.is_empty()) else {
        return Err(Error::new(ErrorKind::InvalidInput, "the location names no bucket; write s3://BUCKET/PREFIX")
            .with("location", location));
    };
    let store = object::s3(bucket, options, env).map_err(|e| e.with("location", location))?;
    Ok(Opened { store: Arc::new(store), root: format!("{}://{bucket}", url.scheme()), prefix: prefix(url)? })
}

/// The path of a URL, decoded, without slashes at the ends.
fn prefix(url: &Url) -> Result<String> {
    let mut parts = Vec::new();
    for segment in url.path_segments().into_iter().flatten().filter(|segment| !segment.is_empty()) {
        parts.push(percent_decode(segment).ok_or_else(|| {
            Error::new(ErrorKind::InvalidInput, "the location has a broken %-escape").with("location", url)
        })?);
    }
    Ok(parts.join("/"))
}

fn percent_decode(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let high = char::from(bytes.next()?).to_digit(16)?;
            let low = char::from(bytes.next()?).to_digit(16)?;
            decoded.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            decoded.push(byte);
        }
    }
    String::from_utf8(decoded).ok()
}

#[cfg(test)]
mod tests;
