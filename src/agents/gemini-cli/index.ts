import type { Agent } from '../agent.ts'
import { about } from './about.ts'
import { connect } from './connect.ts'
import { find } from './find.ts'
import { importer } from './import.ts'
import { check, declared } from './options.ts'
import type { GeminiState } from './state.ts'
import { initial, readRecorded, translate } from './translate.ts'

/** Gemini CLI: over ACP, and the chat file that it keeps. */
export const geminiCli: Agent<GeminiState> = {
  ...about,
  find: () => find(),
  options: declared,
  check: async ({ options }) => check(options),
  connect,
  initial,
  importer,
  translate,
  readRecorded,
}
