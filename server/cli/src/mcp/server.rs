//! The server: lists tools, pages and prompts, and runs the calls.

use std::path::PathBuf;
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, GetPromptRequestParams, GetPromptResponse,
    Implementation, InitializeResult, JsonObject, ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ReadResourceRequestParams,
    ReadResourceResponse, ServerCapabilities,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::Semaphore;

use super::desk::Refusal;
use super::tools::{self, Entry};
use super::{House, call, library, prompts};

/// The time that a client has to name its roots.
const ROOTS: Duration = Duration::from_secs(10);
const INSTRUCTIONS: &str = "Percept checks, plays and judges games of incomplete information, written in GDL-II or \
    POGDDL. To write a game: `new` for a beginning (or read percept://docs/gdl-ii and percept://games), then change its \
    text, and after every change `check`. When it is clean, `play` for faults, `prove` for what every role knows, and \
    `repair` for the percepts that are missing. Games are sent as a `path` or as a `text`.";

/// The server of one connection.
pub(super) struct Server {
    house: House,
    tools: Vec<Entry>,
    running: Semaphore,
}

impl Server {
    pub(super) fn new(house: House) -> Server {
        Server { running: Semaphore::new(house.jobs), tools: tools::all(), house }
    }

    /// Answers a call.
    ///
    /// # Errors
    /// What is wrong with the arguments, or why the command failed.
    async fn call(
        &self,
        entry: &Entry,
        given: JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> Result<CallToolResult, Refusal> {
        let call = (entry.read)(given)?;
        let roots = self.roots(context).await?;
        let permit = tokio::select! {
            () = context.ct.cancelled() => return Err(call::CANCELLED.to_string()),
            permit = self.running.acquire() => permit.map_err(|error| error.to_string())?,
        };
        let answered = call::answered(&*call, roots, &self.house, &context.ct, &mut teller(context)).await;
        drop(permit);
        let answered = answered?;
        let mut result = CallToolResult::success(vec![ContentBlock::text(answered.text)]);
        result.structured_content = Some(answered.data);
        Ok(result)
    }

    /// The folders that a call may use: those of the command line, those that the client names, or the working
    /// directory.
    #[expect(deprecated, reason = "clients of earlier versions of the protocol name their roots in this way")]
    async fn roots(&self, context: &RequestContext<RoleServer>) -> Result<Vec<PathBuf>, Refusal> {
        if !self.house.folders.is_empty() {
            return self.house.folders.iter().map(|it| std::path::absolute(it).map_err(|it| it.to_string())).collect();
        }
        let names_roots = context.peer.peer_info().is_some_and(|client| client.capabilities.roots.is_some());
        if !names_roots {
            return Ok(std::env::current_dir().into_iter().collect());
        }
        let named = tokio::time::timeout(ROOTS, context.peer.list_roots()).await;
        let named = named.map_err(|_| "the client did not name its roots in time".to_string())?;
        let named = named.map_err(|error| format!("the client did not name its roots: {error}"))?;
        let path = |uri: &str| url::Url::parse(uri).ok()?.to_file_path().ok();
        Ok(named.roots.iter().filter_map(|root| path(&root.uri)).collect())
    }
}

/// Passes progress to the client, if it asked for it.
fn teller(context: &RequestContext<RoleServer>) -> impl FnMut(String) + Send + use<> {
    let (token, peer) = (context.meta.get_progress_token(), context.peer.clone());
    let mut count = 0.0;
    move |message| {
        let Some(token) = token.clone() else { return };
        count += 1.0;
        let notice = ProgressNotificationParam::new(token, count).with_message(message);
        let peer = peer.clone();
        // A client that has gone needs no progress.
        tokio::spawn(async move { drop(peer.notify_progress(notice).await) });
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> InitializeResult {
        let can = ServerCapabilities::builder().enable_tools().enable_resources().enable_prompts().build();
        let own = Implementation::new("percept", env!("CARGO_PKG_VERSION")).with_title("Percept");
        InitializeResult::new(can).with_server_info(own).with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.iter().map(|it| it.tool.clone()).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(entry) = self.tools.iter().find(|it| it.tool.name == request.name) else {
            let names: Vec<&str> = self.tools.iter().map(|it| &*it.tool.name).collect();
            let message = format!("there is no tool `{}`; the tools are {}", request.name, names.join(", "));
            return Err(ErrorData::invalid_params(message, None));
        };
        let answered = self.call(entry, request.arguments.unwrap_or_default(), &context).await;
        // The assistant reads why, and sends something else.
        Ok(answered.unwrap_or_else(|why| CallToolResult::error(vec![ContentBlock::text(why)])).into())
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(library::all()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(library::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        match library::read(&request.uri) {
            Some(found) => Ok(found.into()),
            None => {
                let message = format!("there is no resource `{}`; the list of resources has them all", request.uri);
                Err(ErrorData::resource_not_found(message, None))
            }
        }
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::all()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let given = request.arguments.unwrap_or_default();
        prompts::filled(&request.name, &given).map(Into::into).map_err(|why| ErrorData::invalid_params(why, None))
    }
}
