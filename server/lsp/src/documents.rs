//! The open documents by address. A copy shares all but one small part with the original, because every edit makes one
//! and thousands of documents may be open.

use std::sync::Arc;

use tower_lsp::lsp_types::Url;

use crate::file::File;

/// The most documents of one part.
const PART: usize = 64;

/// See the module's words.
#[derive(Clone, Debug, Default)]
pub(crate) struct Documents {
    /// The parts in the order of their addresses; no part is empty.
    parts: Vec<Arc<Vec<Arc<File>>>>,
}

impl Documents {
    /// The part that an address belongs to, and the index of the document in it, or the index to insert it at.
    fn find(&self, address: &str) -> (usize, Result<usize, usize>) {
        let after = self.parts.partition_point(|part| part[0].uri.as_str() <= address);
        let part = after.saturating_sub(1);
        let place = self.parts.get(part).map(|files| files.binary_search_by(|file| file.uri.as_str().cmp(address)));
        (part, place.unwrap_or(Err(0)))
    }

    pub(crate) fn get(&self, uri: &Url) -> Option<&Arc<File>> {
        match self.find(uri.as_str()) {
            (part, Ok(at)) => Some(&self.parts[part][at]),
            _ => None,
        }
    }

    pub(crate) fn contains(&self, uri: &Url) -> bool {
        self.get(uri).is_some()
    }

    /// True if there are documents whose address has this prefix.
    pub(crate) fn has_below(&self, beginning: &str) -> bool {
        let (part, place) = self.find(beginning);
        let at = place.unwrap_or_else(|at| at);
        let here = self.parts.get(part).and_then(|files| files.get(at));
        here.or_else(|| self.parts.get(part + 1)?.first()).is_some_and(|file| file.uri.as_str().starts_with(beginning))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Replaces the document with the same address.
    pub(crate) fn insert(&mut self, file: Arc<File>) {
        let (part, place) = self.find(file.uri.as_str());
        let Some(files) = self.parts.get_mut(part) else {
            self.parts.push(Arc::new(vec![file]));
            return;
        };
        let files = Arc::make_mut(files);
        match place {
            Ok(at) => files[at] = file,
            Err(at) => files.insert(at, file),
        }
        if files.len() > PART {
            let rest = files.split_off(PART / 2);
            self.parts.insert(part + 1, Arc::new(rest));
        }
    }

    pub(crate) fn remove(&mut self, uri: &Url) -> Option<Arc<File>> {
        let (part, Ok(at)) = self.find(uri.as_str()) else { return None };
        let files = Arc::make_mut(&mut self.parts[part]);
        let file = files.remove(at);
        if files.is_empty() {
            self.parts.remove(part);
        }
        Some(file)
    }

    /// The documents in the order of their addresses.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Arc<File>> {
        self.parts.iter().flat_map(|part| part.iter())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::kinds::Kind;

    fn uri(number: u16) -> Url {
        Url::parse(&format!("file:///folder{}/{number}.trace", number % 3)).unwrap()
    }

    proptest! {
        #[test]
        fn they_are_a_sorted_set(changes in prop::collection::vec((any::<bool>(), 0u16..400), 0..900)) {
            let (mut documents, mut expected) = (Documents::default(), BTreeSet::new());
            for (is_opened, number) in changes {
                let before = documents.clone();
                let length = before.iter().count();
                let uri = uri(number);
                if is_opened {
                    documents.insert(Arc::new(File::new(uri.clone(), None, None, Kind::Trace, "")));
                    expected.insert(uri);
                } else {
                    prop_assert_eq!(documents.remove(&uri).is_some(), expected.remove(&uri));
                }
                prop_assert_eq!(before.iter().count(), length, "a copy stays as it was");
            }
            prop_assert!(documents.iter().map(|file| &file.uri).eq(&expected));
            prop_assert!(documents.iter().all(|file| documents.contains(&file.uri)));
            prop_assert_eq!(documents.is_empty(), expected.is_empty());
            for number in 0..4 {
                let folder = format!("file:///folder{number}/");
                let is_there = expected.iter().any(|uri| uri.as_str().starts_with(&folder));
                prop_assert_eq!(documents.has_below(&folder), is_there);
            }
        }
    }
}
