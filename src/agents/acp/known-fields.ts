import { kindsBy, oneKind, shape, type Kinds } from '../kit/known-fields.ts'
import type { JsonObject } from './messages.ts'

// What is in `_meta` is each agent's own.
const block = '_meta annotations type'

const plainBlocks = {
  text: shape(`${block} text`),
  image: shape(`${block} data mimeType uri`),
  audio: shape(`${block} data mimeType`),
  resource_link: shape(`${block} uri name mimeType size title description icons`),
  resource: shape(`${block} resource`),
}

const content: Kinds = kindsBy('content', ({ type }) => type, {
  ...plainBlocks,
  content: shape(`${block} content`, { content: kindsBy('content', ({ type }) => type, plainBlocks) }),
  diff: shape(`${block} path oldText newText changes patch`),
  terminal: shape(`${block} terminalId`),
})

const toolFields = '_meta toolCallId title name kind status content locations rawInput rawOutput'
const words = shape('_meta sessionUpdate content messageId', { content })
const call = shape(`sessionUpdate ${toolFields}`, { content })

const updates = kindsBy('update', ({ sessionUpdate }) => sessionUpdate, {
  agent_message_chunk: words,
  agent_thought_chunk: words,
  agent_message: words,
  agent_thought: words,
  user_message_chunk: words,
  user_message: words,
  tool_call: call,
  tool_call_update: call,
  tool_call_content_chunk: shape('_meta sessionUpdate toolCallId content', { content }),
  terminal_update: shape('_meta sessionUpdate terminalId command cwd output exitStatus size'),
  terminal_output_chunk: shape('_meta sessionUpdate terminalId data'),
  plan: shape('_meta sessionUpdate entries'),
  plan_update: shape('_meta sessionUpdate plan'),
  plan_removed: shape('_meta sessionUpdate planId id'),
  compaction_update: shape('_meta sessionUpdate compactionId status summary error'),
  compaction_summary_chunk: shape('_meta sessionUpdate compactionId content'),
  state_update: shape('_meta sessionUpdate state stopReason usage error'),
  usage_update: shape('_meta sessionUpdate used size cost'),
  notice: shape('_meta sessionUpdate severity title description'),
  current_mode_update: shape('_meta sessionUpdate currentModeId'),
  config_option_update: shape('_meta sessionUpdate configOptions'),
  session_info_update: shape('_meta sessionUpdate title updatedAt'),
  available_commands_update: shape('_meta sessionUpdate availableCommands'),
})

const request = (fields: string, inside: Parameters<typeof shape>[1] = {}) =>
  shape('jsonrpc id method params', { params: oneKind(null, shape(`_meta ${fields}`, inside)) })

/** An answer to a prompt; others tell what an agent can do, which is for programs. */
const results = kindsBy('result', told => ('stopReason' in told ? 'prompt' : ''), {
  prompt: shape('_meta stopReason usage messageId userMessageId'),
})

const kindOf = ({ method, result, error }: JsonObject) =>
  method === undefined && (result !== undefined || error !== undefined) ? 'answer' : method

/** The fields of ACP's messages that are known: from its versions 1 and 2, with what is not yet stable, and from recordings. */
export const lines = kindsBy('', kindOf, {
  'session/update': request('sessionId update', { update: updates }),
  'session/request_permission': request('sessionId toolCall subject options title description', {
    toolCall: oneKind('toolCall', shape(toolFields, { content })),
  }),
  'elicitation/create': request(
    'sessionId toolCallId requestId message mode requestedSchema elicitationId url title description',
  ),
  answer: shape('jsonrpc id result error', { result: results }),
})
