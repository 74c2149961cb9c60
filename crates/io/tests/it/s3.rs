//! S3 through the `moto` server, which speaks its protocol on this machine: `pip install 'moto[server]'`, then
//! `HEADWATER_TEST_S3=1 cargo test -p headwater-io -- --ignored`.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use headwater_io::{Env, ErrorKind, FileIo, store_conformance};

struct Moto {
    process: Child,
    port: u16,
}

impl Moto {
    async fn start(env: &Env) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let process = Command::new("moto_server")
            .args(["-H", "127.0.0.1", "-p", &port.to_string()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("moto_server is not on the PATH: pip install 'moto[server]'");
        let moto = Self { process, port };
        for _ in 0..150 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return moto;
            }
            env.sleep(Duration::from_millis(200)).await;
        }
        panic!("moto_server did not start");
    }

    fn create_bucket(&self, name: &str) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "PUT /{name} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }

    fn options(&self) -> BTreeMap<String, String> {
        [
            ("s3.endpoint", format!("http://127.0.0.1:{}", self.port)),
            ("s3.access-key", "key".to_owned()),
            ("s3.secret-key", "secret".to_owned()),
            ("s3.path.style.access", "true".to_owned()),
        ]
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
    }
}

impl Drop for Moto {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs moto_server; `HEADWATER_TEST_S3=1 cargo test -p headwater-io -- --ignored`"]
async fn s3_conforms() {
    let env = Env::system();
    if env.var("HEADWATER_TEST_S3").is_none() {
        return;
    }
    let moto = Moto::start(&env).await;
    moto.create_bucket("lake");
    let io = FileIo::open("s3://lake/some/prefix", &moto.options(), &env).unwrap();
    store_conformance(&io).await.unwrap();

    let mut without = moto.options();
    without.insert("s3.conditional-put".to_owned(), "false".to_owned());
    let refused = FileIo::open("s3://lake/x", &without, &env).unwrap().create_new("a", "x".into()).await;
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::Unsupported);
}
