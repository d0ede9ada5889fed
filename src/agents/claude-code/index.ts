import type { Agent, RawMessage, Translation } from '../agent.ts'
import { connect } from './connect.ts'
import { find } from './find.ts'
import { importer } from './import.ts'
import { forkPoint } from './fork-point.ts'
import { readOptions } from './options.ts'
import { ownHistory } from './own-history.ts'
import { readRecorded } from './recorded.ts'
import { initial, translate, type State } from './translate.ts'

export { initial, translate, type State }

/** Claude Code as it is installed, over its own protocol on stdin and stdout. */
export const claudeCode: Agent<State> = {
  name: 'claude-code',
  title: 'Claude Code',
  lines: 'claude --output-format stream-json',
  capabilities: {
    resume: true,
    fork: true,
    approvals: true,
    changedInput: true,
    denialReasons: true,
    images: true,
    interrupt: true,
    subagents: true,
  },
  elsewhere: { cannot: [] },
  find: () => find(),
  check: async ({ options }) => void readOptions(options),
  connect,
  initial,
  translate,
  readRecorded,
  forkPoint,
  importer,
  context: 'next-boundary',
  ownHistory,
}

/** Translates a message of the Agent SDK, for whoever holds its stream. */
export function translateMessage(state: State, message: object): Translation<State> {
  const raw: RawMessage = { from: 'agent', text: JSON.stringify(message) }
  return translate(state, raw)
}
