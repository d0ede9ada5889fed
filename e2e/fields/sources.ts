import type { TableSource } from './read-types.ts'

/** Fields that the published types lack and that are known all the same. */
export interface Extra {
  /** The table, and after a blank the kind in it; `*` means every kind. */
  readonly of: string
  readonly fields: string
  readonly why: Why
}

type Why = typeof recorded | typeof live | typeof read | typeof inherited

const recorded = 'A recording has them.'
const live = 'The agents suite has seen them.'
const read = 'The translator reads them.'
const inherited = 'No recording has them. They were in the first tables, which people wrote.'

/** Where the table of an agent's fields comes from. */
export interface FieldSource {
  /** npm packages, exactly versioned; only their types are read. */
  readonly packages: Readonly<Record<string, string>>
  /** TypeScript that imports the types. */
  readonly imports: string
  readonly tables: Readonly<Record<string, TableSource>>
  readonly extras: readonly Extra[]
}

const acp: FieldSource = {
  packages: { '@agentclientprotocol/sdk': '2.4.0' },
  imports: `import type * as v1 from '@agentclientprotocol/sdk/unstable'
    import type * as v2 from '@agentclientprotocol/sdk/experimental/v2/unstable'`,
  tables: {
    contents: {
      type: 'v1.ContentBlock | v2.ContentBlock | v1.ToolCallContent | v2.ToolCallContent',
      by: 'type',
    },
    updates: { type: 'v1.SessionUpdate | v2.SessionUpdate', by: 'sessionUpdate' },
    sessionNotification: { type: 'v1.SessionNotification | v2.UpdateSessionNotification' },
    toolCall: { type: 'v1.ToolCallUpdate | v2.ToolCallUpdate' },
    permissionRequest: { type: 'v1.RequestPermissionRequest | v2.RequestPermissionRequest' },
    elicitation: { type: 'v1.CreateElicitationRequest | v2.CreateElicitationRequest' },
    promptResult: { type: 'v1.PromptResponse | v2.PromptResponse' },
  },
  extras: [
    { of: 'updates plan_removed', fields: 'id', why: inherited },
    { of: 'elicitation', fields: 'title description', why: read },
    { of: 'promptResult', fields: 'userMessageId', why: inherited },
  ],
}

const claudeCode: FieldSource = {
  packages: { '@anthropic-ai/claude-agent-sdk': '0.3.328', '@anthropic-ai/sdk': '1.10.0' },
  imports: `import type { SDKControlRequest, SDKMessage } from '@anthropic-ai/claude-agent-sdk'
    import type * as api from '@anthropic-ai/sdk/resources/beta/messages/messages.mjs'`,
  tables: {
    lines: {
      type: "Exclude<SDKMessage, { type: 'system' }>",
      by: 'type',
      kinds: `assistant user stream_event result tool_use_summary prompt_suggestion rate_limit_event auth_status`,
    },
    systemLines: {
      type: "Extract<SDKMessage, { type: 'system' }>",
      by: 'subtype',
      prefix: 'system/',
      kinds: `init status api_retry compact_boundary hook_response task_started task_progress task_updated
        task_notification informational notification local_command_output`,
    },
    controlRequest: { type: 'SDKControlRequest' },
    requests: { type: "SDKControlRequest['request']", by: 'subtype', kinds: 'can_use_tool elicitation' },
    message: { type: 'api.BetaMessage | api.BetaMessageParam' },
    blocks: { type: 'api.BetaContentBlock | api.BetaContentBlockParam', by: 'type' },
    events: { type: 'api.BetaRawMessageStreamEvent', by: 'type' },
    deltas: { type: 'api.BetaRawContentBlockDelta', by: 'type' },
    messageDelta: { type: "api.BetaRawMessageDeltaEvent['delta']" },
  },
  extras: [
    {
      of: 'lines *',
      fields: 'user_message_uuid user_message_uuids timestamp parent_tool_use_id',
      why: recorded,
    },
    {
      of: 'systemLines *',
      fields: 'user_message_uuid user_message_uuids timestamp parent_tool_use_id',
      why: recorded,
    },
    {
      of: 'lines assistant',
      fields: `api_error api_error_params api_error_status api_error_type is_api_error_message local_command_run
        local_command_source thinking_display thinking_duration_ms tool_use_meta`,
      why: recorded,
    },
    { of: 'lines user', fields: 'tool_result_meta', why: recorded },
    { of: 'systemLines system/task_notification', fields: 'summary_is_report', why: live },
    { of: 'requests can_use_tool', fields: 'server_policy_ask_only', why: recorded },
    {
      of: 'lines stream_event',
      fields: 'abandoned_blocks api_message_id owed_rows thinking_display',
      why: recorded,
    },
    {
      of: 'lines result',
      fields: `api_error api_error_type first_request_cache_read_input_tokens
        first_request_input_tokens model_usage_since_last_result safety_stops subagent_stats`,
      why: recorded,
    },
    { of: 'lines assistant', fields: 'refused_message_id', why: inherited },
    { of: 'lines user', fields: 'refused_message_id', why: inherited },
    { of: 'lines result', fields: 'api_error_params error', why: inherited },
    {
      of: 'lines command_lifecycle',
      fields:
        'command_uuid parent_tool_use_id session_id state timestamp type user_message_uuid user_message_uuids uuid',
      why: recorded,
    },
    {
      of: 'systemLines system/init',
      fields: `additional_directories analytics_disabled memory_paths messaging_socket_path original_cwd
        per_turn_effort_active product_feedback_disabled ultrathink_available ultrathink_typed_raises`,
      why: recorded,
    },
    { of: 'systemLines system/compact_boundary', fields: 'logical_parent_uuid', why: recorded },
    {
      of: 'systemLines system/task_updated',
      fields: 'tool_use_id',
      why: inherited,
    },
    { of: 'message', fields: 'service_tier', why: inherited },
    { of: 'blocks thinking', fields: 'estimated_tokens', why: inherited },
    { of: 'blocks tool_use', fields: 'server_name', why: inherited },
    { of: 'blocks server_tool_use', fields: 'server_name', why: inherited },
    { of: 'blocks mcp_tool_use', fields: 'caller', why: inherited },
    { of: 'blocks tool_result', fields: 'caller', why: inherited },
    { of: 'blocks mcp_tool_result', fields: 'caller', why: inherited },
    {
      of: 'blocks web_search_tool_result',
      fields: 'is_error',
      why: inherited,
    },
    {
      of: 'blocks web_fetch_tool_result',
      fields: 'is_error',
      why: inherited,
    },
  ],
}

const codex: FieldSource = {
  packages: { '@openai/codex': '0.169.0', '@openai/codex-sdk': '0.163.0' },
  imports: `import type { ServerNotification, ServerRequest } from './generated/index.ts'
    import type { ThreadItem, Turn } from './generated/v2/index.ts'
    import type * as exec from '@openai/codex-sdk'`,
  tables: {
    params: {
      type: 'ServerNotification | ServerRequest',
      by: 'method',
      in: 'params',
      kinds: `item/agentMessage/delta item/plan/delta item/reasoning/summaryTextDelta item/reasoning/textDelta
        item/reasoning/summaryPartAdded item/commandExecution/outputDelta item/commandExecution/terminalInteraction
        item/fileChange/outputDelta item/fileChange/patchUpdated item/mcpToolCall/progress item/started item/completed
        turn/started turn/completed turn/plan/updated turn/diff/updated thread/tokenUsage/updated serverRequest/resolved
        error warning guardianWarning configWarning deprecationNotice item/commandExecution/requestApproval
        item/fileChange/requestApproval item/permissions/requestApproval item/tool/requestUserInput
        mcpServer/elicitation/request`,
    },
    items: { type: 'ThreadItem', by: 'type' },
    turn: { type: 'Turn' },
    execLines: { type: 'exec.ThreadEvent', by: 'type' },
    execItems: { type: 'exec.ThreadItem', by: 'type' },
    execUsage: { type: 'exec.Usage' },
    execChange: { type: "exec.FileChangeItem['changes'][number]" },
    execTodo: { type: "exec.TodoListItem['items'][number]" },
    execError: { type: 'exec.ThreadError' },
  },
  extras: [
    { of: 'execItems plan', fields: 'id text type', why: read },
    {
      of: 'execItems collab_tool_call',
      fields: 'agents_states id prompt receiver_thread_ids sender_thread_id status tool type',
      why: read,
    },
    { of: 'execItems web_search', fields: 'action', why: read },
    { of: 'params *', fields: 'threadId turnId', why: inherited },
  ],
}

const geminiCli: FieldSource = {
  packages: { '@google/gemini-cli-core': '0.61.0' },
  imports: `import type { JsonStreamEvent, StreamStats } from './node_modules/@google/gemini-cli-core/dist/src/output/types.js'
    import type { MessageRecord, ToolCallRecord } from './node_modules/@google/gemini-cli-core/dist/src/services/chatRecordingTypes.js'`,
  tables: {
    headlessLines: { type: 'JsonStreamEvent', by: 'type' },
    stats: { type: 'StreamStats' },
    chatLines: { type: 'MessageRecord', by: 'type' },
    toolCall: { type: 'ToolCallRecord' },
  },
  extras: [
    {
      of: 'toolCall',
      fields: 'approvalMode duration endTime error parentCallId startTime',
      why: inherited,
    },
  ],
}

const opencode: FieldSource = {
  packages: { '@opencode-ai/sdk': '1.18.33' },
  imports: `import type * as sdk from '@opencode-ai/sdk/v2/types'`,
  tables: {
    properties: {
      type: 'sdk.Event',
      by: 'type',
      in: 'properties',
      kinds: `message.part.delta message.part.updated message.part.removed message.updated session.created
        session.updated session.status session.idle session.error session.diff session.compacted todo.updated
        permission.asked permission.replied question.asked question.replied question.rejected tui.toast.show`,
    },
    parts: { type: 'sdk.Part', by: 'type' },
    states: { type: 'sdk.ToolState', by: 'status' },
    messages: { type: 'sdk.Message', by: 'role' },
    session: { type: 'sdk.Session' },
    statuses: { type: 'sdk.SessionStatus', by: 'type' },
  },
  extras: [
    { of: 'states error', fields: 'raw', why: recorded },
    { of: 'messages user', fields: 'modelID providerID', why: read },
    { of: 'properties message.part.updated', fields: 'delta', why: inherited },
  ],
}

/** The published types of every agent whose lines are checked for unknown fields, by the agent's folder. */
export const sources: Readonly<Record<string, FieldSource>> = {
  acp,
  'claude-code': claudeCode,
  codex,
  'gemini-cli': geminiCli,
  opencode,
}
