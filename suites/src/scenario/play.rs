//! Who performs which operation.

use super::script::Op;

/// An engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The Java reference.
    Java,
    /// Headwater.
    Headwater,
}

impl Actor {
    fn other(self) -> Self {
        match self {
            Self::Java => Self::Headwater,
            Self::Headwater => Self::Java,
        }
    }
}

/// How the operations of a scenario are shared out. Whoever performs them, both sides read after every step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Play {
    /// One side does it all.
    Alone(Actor),
    /// In turns; the named side begins. A streaming writer's commits stay with the side that opened it.
    Turns(Actor),
    /// The named side writes, the other one compacts.
    Writes(Actor),
}

impl Play {
    /// All plays; the first is what the others are measured by.
    pub const ALL: [Self; 6] = [
        Self::Alone(Actor::Java),
        Self::Alone(Actor::Headwater),
        Self::Turns(Actor::Java),
        Self::Turns(Actor::Headwater),
        Self::Writes(Actor::Java),
        Self::Writes(Actor::Headwater),
    ];

    /// The play's short name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Alone(Actor::Java) => "J",
            Self::Alone(Actor::Headwater) => "H",
            Self::Turns(Actor::Java) => "JH",
            Self::Turns(Actor::Headwater) => "HJ",
            Self::Writes(Actor::Java) => "J writes, H compacts",
            Self::Writes(Actor::Headwater) => "H writes, J compacts",
        }
    }

    /// Who performs each of the operations.
    #[must_use]
    pub fn actors<'a>(self, operations: impl Iterator<Item = &'a Op>) -> Vec<Actor> {
        let mut turn = match self {
            Self::Alone(actor) | Self::Turns(actor) | Self::Writes(actor) => actor,
        };
        let mut streaming: Option<Actor> = None;
        let mut actors = Vec::new();
        for op in operations {
            let actor = match self {
                Self::Alone(actor) => actor,
                Self::Writes(actor) if op.compacts() => actor.other(),
                Self::Writes(actor) => actor,
                Self::Turns(_) => match op {
                    Op::StreamWrite { .. } => *streaming.get_or_insert(turn),
                    Op::StreamClose => streaming.take().unwrap_or(turn),
                    _ => turn,
                },
            };
            actors.push(actor);
            if matches!(self, Self::Turns(_)) && op.changes() && streaming.is_none() {
                turn = turn.other();
            }
        }
        actors
    }
}
