//! The Java reference: its jars and our driver.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{Outcome, output, root, run};

/// Where jars and classes are kept between runs.
fn cache() -> PathBuf {
    let variable = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    variable("HEADWATER_CACHE")
        .or_else(|| variable("XDG_CACHE_HOME").map(|d| d.join("headwater")))
        .or_else(|| variable("HOME").map(|d| d.join(".cache/headwater")))
        .unwrap_or_else(|| root().join("target"))
        .join("java")
}

/// Fetches and verifies the jars, compiles the driver; returns the class path.
pub(crate) fn set_up() -> Outcome<String> {
    for tool in ["javac", "java"] {
        output(tool, &["-version"])
            .map_err(|e| format!("{e}\ninterop needs a JDK 17: install openjdk-17-jdk-headless"))?;
    }
    let sources = root().join("suites/interop/java");
    let artifacts =
        fs::read_to_string(sources.join("artifacts.sha256")).map_err(|e| format!("artifacts.sha256: {e}"))?;
    let lib = cache().join("lib");
    fs::create_dir_all(&lib).map_err(|e| format!("{}: {e}", lib.display()))?;
    for line in artifacts.lines() {
        let (sum, artifact) = line.split_once("  ").ok_or_else(|| format!("artifacts.sha256: '{line}'"))?;
        fetch(&lib, sum, artifact)?;
    }
    let classes = cache().join("classes");
    fs::create_dir_all(&classes).map_err(|e| format!("{}: {e}", classes.display()))?;
    let class_path = format!("{}:{}/*", classes.display(), lib.display());
    let mut arguments = vec!["-nowarn".to_owned(), "-d".to_owned(), classes.display().to_string()];
    arguments.extend(["-cp".to_owned(), format!("{}/*", lib.display())]);
    for name in ["CanonicalJson", "JsonValues", "Facts", "Streams", "Deletes", "Driver"] {
        arguments.push(sources.join(format!("{name}.java")).display().to_string());
    }
    output("javac", &arguments.iter().map(String::as_str).collect::<Vec<_>>())?;
    Ok(class_path)
}

fn fetch(lib: &Path, sum: &str, artifact: &str) -> Outcome {
    let parts: Vec<&str> = artifact.split(':').collect();
    let [group, name, version] = parts.as_slice() else {
        return Err(format!("'{artifact}' is not group:name:version"));
    };
    let jar = lib.join(format!("{name}-{version}.jar"));
    if !jar.exists() {
        run("mvn", &["-q", "-B", "dependency:get", "-Dtransitive=false", &format!("-Dartifact={artifact}")])
            .map_err(|e| format!("{e}\ncannot fetch {artifact}: interop needs Maven and a Maven repository once"))?;
        let home = std::env::var_os("HOME").map(PathBuf::from).ok_or("HOME is not set")?;
        let folder = home.join(".m2/repository").join(group.replace('.', "/")).join(name).join(version);
        fs::copy(folder.join(format!("{name}-{version}.jar")), &jar).map_err(|e| format!("{artifact}: {e}"))?;
    }
    let found = output("sha256sum", &[&jar.display().to_string()])?;
    if found.starts_with(sum) {
        return Ok(());
    }
    Err(format!("{} is not the artifact that was recorded: delete it and run again", jar.display()))
}
