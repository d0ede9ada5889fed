import { readSettings } from '../acp/index.ts'
import type { Agent } from '../agent.ts'
import { about } from './about.ts'
import { connect } from './connect.ts'
import { find } from './find.ts'
import { importer } from './import.ts'
import type { GeminiState } from './state.ts'
import { initial, readRecorded, translate } from './translate.ts'

/** Gemini CLI: over ACP, and the chat file that it keeps. */
export const geminiCli: Agent<GeminiState> = {
  ...about,
  find: () => find(),
  check: async ({ options }) => void readSettings(options, 'gemini'),
  connect,
  initial,
  importer,
  translate,
  readRecorded,
}
