//! Temporary files for write buffers.

use std::io::{Read, Write};

use headwater_io::{SpillDir, SpillFile};
use headwater_lsm::{SpillSource, SpillTarget};

/// A directory of temporary files as the merge tree wants it.
pub(super) struct Spills(pub(super) SpillDir);

struct Spilled(SpillFile);

impl SpillTarget for Spills {
    fn create(&mut self) -> std::io::Result<Box<dyn SpillSource>> {
        Ok(Box::new(Spilled(self.0.create().map_err(std::io::Error::other)?)))
    }
}

impl Write for Spilled {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        Write::write(&mut self.0, bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Write::flush(&mut self.0)
    }
}

impl SpillSource for Spilled {
    fn reader(&mut self) -> std::io::Result<Box<dyn Read + Send>> {
        Ok(Box::new(self.0.reader().map_err(std::io::Error::other)?))
    }
}
