import type { Agent } from '../agent.ts'
import { about } from './about.ts'
import { connect } from './connect.ts'
import { find } from './find.ts'
import { forkPoint } from './fork-point.ts'
import { importer } from './import.ts'
import { check, declared } from './options.ts'
import { ownHistory } from './own-history.ts'
import type { State } from './state.ts'
import { initial, translate } from './translate.ts'

/** OpenAI's Codex, through its app-server. */
export const codex: Agent<State> = {
  ...about,
  find: () => find(),
  options: declared,
  check: async ({ options }) => check(options),
  connect,
  initial,
  importer,
  translate,
  forkPoint,
  ownHistory,
}
