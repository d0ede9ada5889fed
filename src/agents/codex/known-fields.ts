import { kindsBy, oneKind, shape } from '../kit/known-fields.ts'

const of = 'type id startedAtMs completedAtMs'

const items = kindsBy('item', ({ type }) => type, {
  agentMessage: shape(`${of} text phase memoryCitation delivery questions`),
  plan: shape(`${of} text`),
  reasoning: shape(`${of} summary content`),
  userMessage: shape(`${of} clientId content`),
  hookPrompt: shape(`${of} fragments`),
  functionCallOutput: shape(`${of} name namespace output`),
  commandExecution: shape(
    `${of} pluginId scriptPath command cwd processId source status commandActions aggregatedOutput exitCode durationMs`,
  ),
  fileChange: shape(`${of} changes status`),
  mcpToolCall: shape(
    `${of} server tool status arguments appContext mcpAppResourceUri mcpAppUi pluginId readOnlyHint result error
    durationMs`,
  ),
  dynamicToolCall: shape(`${of} namespace tool arguments status contentItems success durationMs`),
  collabAgentToolCall: shape(
    `${of} tool status senderThreadId receiverThreadIds prompt model reasoningEffort agentsStates`,
  ),
  subAgentActivity: shape(`${of} model reasoningEffort kind agentThreadId agentPath`),
  webSearch: shape(`${of} query action results`),
  imageView: shape(`${of} path`),
  imageGeneration: shape(
    `${of} status revisedPrompt transparentBackground failure savedPath inputImages generationId fileId result`,
  ),
  sleep: shape(`${of} durationMs`),
  enteredReviewMode: shape(`${of} review`),
  exitedReviewMode: shape(`${of} review`),
  contextCompaction: shape(of),
})

const turn = oneKind(
  'turn',
  shape('id rootTurnId items itemsView status error startedAt completedAt durationMs'),
)

const message = (fields: string, inside: Parameters<typeof shape>[1] = {}) =>
  shape('jsonrpc id method params emittedAtMs', {
    params: oneKind(null, shape(`threadId turnId ${fields}`, inside)),
  })

const place = 'threadId turnId itemId'

/** The fields of the app-server's messages that are known: from the types that codex 0.166 generates, and from recordings. */
export const lines = kindsBy('', ({ method }) => method, {
  'item/agentMessage/delta': message(`${place} delta`),
  'item/plan/delta': message(`${place} delta`),
  'item/reasoning/summaryTextDelta': message(`${place} delta summaryIndex`),
  'item/reasoning/textDelta': message(`${place} delta contentIndex`),
  'item/reasoning/summaryPartAdded': message(`${place} summaryIndex`),
  'item/commandExecution/outputDelta': message(`${place} delta`),
  'item/commandExecution/terminalInteraction': message(`${place} processId stdin`),
  'item/fileChange/outputDelta': message(`${place} delta`),
  'item/fileChange/patchUpdated': message(`${place} changes`),
  'item/mcpToolCall/progress': message(`${place} message`),
  'item/started': message('item threadId turnId startedAtMs', { item: items }),
  'item/completed': message('item threadId turnId completedAtMs', { item: items }),
  'turn/started': message('threadId turn', { turn }),
  'turn/completed': message('threadId turn', { turn }),
  'turn/plan/updated': message('threadId turnId explanation plan'),
  'turn/diff/updated': message('threadId turnId diff'),
  'thread/tokenUsage/updated': message('threadId turnId tokenUsage'),
  'serverRequest/resolved': message('threadId requestId'),
  error: message('error willRetry threadId turnId'),
  warning: message('threadId message'),
  guardianWarning: message('threadId message'),
  configWarning: message('summary details path range'),
  deprecationNotice: message('summary details'),
  'item/commandExecution/requestApproval': message(
    `${place} kind startedAtMs approvalId environmentId reason networkApprovalContext command cwd commandActions
    additionalPermissions proposedExecpolicyAmendment proposedNetworkPolicyAmendments availableDecisions`,
  ),
  'item/fileChange/requestApproval': message(`${place} startedAtMs reason grantRoot`),
  'item/permissions/requestApproval': message(`${place} environmentId startedAtMs cwd reason permissions`),
  'item/tool/requestUserInput': message(`${place} questions isBlocking autoResolutionMs`),
  'mcpServer/elicitation/request': message(
    `threadId turnId serverName mode _meta message requestedSchema title description challenge url elicitationId`,
  ),
})

const execItems = kindsBy('item', ({ type }) => type, {
  agent_message: shape('type id text'),
  plan: shape('type id text'),
  reasoning: shape('type id text'),
  command_execution: shape('type id command aggregated_output exit_code status'),
  file_change: shape('type id changes status', { changes: oneKind('change', shape('path kind')) }),
  mcp_tool_call: shape('type id server tool arguments result error status'),
  collab_tool_call: shape('type id tool sender_thread_id receiver_thread_ids prompt agents_states status'),
  web_search: shape('type id query action'),
  todo_list: shape('type id items', { items: oneKind('todo', shape('text completed')) }),
  error: shape('type id message'),
})

const execItem = shape('type item', { item: execItems })

/** The same for the lines of `codex exec --json`. */
export const execLines = kindsBy('', ({ type }) => type, {
  'thread.started': shape('type thread_id'),
  'turn.started': shape('type'),
  'turn.completed': shape('type usage', {
    usage: oneKind(
      'usage',
      shape(
        'input_tokens cached_input_tokens cache_write_input_tokens output_tokens reasoning_output_tokens',
      ),
    ),
  }),
  'turn.failed': shape('type error', { error: oneKind('error', shape('message')) }),
  'item.started': execItem,
  'item.updated': execItem,
  'item.completed': execItem,
  error: shape('type message'),
})
