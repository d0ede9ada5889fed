import type { Agent, RawMessage, Translation } from '../agent.ts'
import { about } from './about.ts'
import { connect } from './connect.ts'
import { find } from './find.ts'
import { importer } from './import.ts'
import { forkPoint } from './fork-point.ts'
import { check, declared } from './options.ts'
import { ownHistory } from './own-history.ts'
import { readRecorded } from './recorded.ts'
import { initial, translate, type State } from './translate.ts'

export { initial, translate, type State }

/** The installed Claude Code, over its own protocol on stdin and stdout. */
export const claudeCode: Agent<State> = {
  ...about,
  find: () => find(),
  options: declared,
  check: async ({ options }) => check(options),
  connect,
  initial,
  translate,
  readRecorded,
  forkPoint,
  importer,
  ownHistory,
}

/** Translates a message of the Agent SDK, for programs that read its stream. */
export function translateMessage(state: State, message: object): Translation<State> {
  const raw: RawMessage = { from: 'agent', text: JSON.stringify(message) }
  return translate(state, raw)
}
