//! What the registry says about one option, and the macro its tables are written with.

use super::OptionKind;

/// Who reads an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Stored in a table's schema or given for one use of it.
    Table,
    /// Given when a catalog is opened.
    Catalog,
    /// Read by another engine's connector or catalog, never by Headwater.
    Engine,
}

/// What Headwater does with an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Obeyed. Some of its values may still be refused: [`super::refused_value`].
    Implemented,
    /// Accepted and without effect; the text says why that is harmless.
    Ignored(&'static str),
    /// Refused when a table is created or altered with a value other than the default; the text names the feature.
    Refused(&'static str),
}

/// One option: what it is called, what it takes, what becomes of it.
#[derive(Clone, Copy, Debug)]
pub struct OptionSpec {
    /// The key as written in the schema file.
    pub key: &'static str,
    /// Older keys, used in this order when the main key is absent.
    pub aliases: &'static [&'static str],
    /// Who reads it.
    pub scope: Scope,
    /// The type of its value.
    pub kind: OptionKind,
    /// The text form of its default; `None` when there is none or it depends on other options.
    pub default: Option<&'static str>,
    /// Whether it is fixed once the table has snapshots.
    pub immutable: bool,
    /// What Headwater does with it.
    pub status: Status,
    /// One line for users.
    pub doc: &'static str,
}

/// Writes a table of options: `"key" | "alias": Kind["choices"] = "default", immutable => Status("why"); "doc"`.
macro_rules! options {
    (
        $(#[$meta:meta])*
        $name:ident: $scope:ident;
        $(
            $key:literal $(| $alias:literal)* : $kind:ident $([$($choice:literal),+])? $(= $default:literal)?
            $(, $immutable:ident)? => $status:ident $(($why:expr))?; $doc:literal
        )*
    ) => {
        $(#[$meta])*
        pub(super) const $name: &[$crate::options::OptionSpec] = &[$(
            $crate::options::OptionSpec {
                key: $key,
                aliases: &[$($alias),*],
                scope: $crate::options::Scope::$scope,
                kind: $crate::options::OptionKind::$kind $((&[$($choice),+]))?,
                default: options!(@default $($default)?),
                immutable: options!(@immutable $($immutable)?),
                status: $crate::options::Status::$status $(($why))?,
                doc: $doc,
            }
        ),*];
    };
    (@default) => { None };
    (@default $default:literal) => { Some($default) };
    (@immutable) => { false };
    (@immutable immutable) => { true };
}

pub(super) use options;
