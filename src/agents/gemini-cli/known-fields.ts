import { kindsBy, oneKind, shape } from '../kit/known-fields.ts'

const line = 'type timestamp'

/** The fields of the headless mode's lines that are known, from recordings of 0.61. Those over ACP are known there. */
export const headlessLines = kindsBy('', ({ type }) => type, {
  init: shape(`${line} session_id model`),
  message: shape(`${line} role content delta`),
  tool_use: shape(`${line} tool_name tool_id parameters`),
  tool_result: shape(`${line} tool_id status output error`),
  error: shape(`${line} severity message`),
  result: shape(`${line} status error stats`, {
    stats: oneKind(
      'stats',
      shape('total_tokens input_tokens output_tokens cached input duration_ms tool_calls models'),
    ),
  }),
})

const calls = oneKind(
  'toolCall',
  shape(
    `id name args result status timestamp displayName description resultDisplay renderOutputAsMarkdown agentId
    parentCallId approvalMode startTime endTime duration error`,
  ),
)

const said = 'id type timestamp content displayContent'

/** The fields of a chat's messages that are known, from recordings of 0.61. */
export const chatLines = kindsBy('chat', ({ type }) => type, {
  gemini: shape(`${said} model thoughts tokens toolCalls`, { toolCalls: calls }),
  user: shape(said),
  info: shape(said),
  warning: shape(said),
  error: shape(said),
})
