import { readSettings } from '../acp/index.ts'
import type { Agent } from '../agent.ts'
import { connect } from './connect.ts'
import { find } from './find.ts'
import { importer } from './import.ts'
import type { GeminiState } from './state.ts'
import { initial, readRecorded, translate } from './translate.ts'

/** Gemini CLI: over ACP, with what it keeps of each chat beside it. */
export const geminiCli: Agent<GeminiState> = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  lines: 'gemini --acp or gemini --output-format stream-json',
  capabilities: {
    resume: true,
    fork: false,
    approvals: true,
    changedInput: false,
    denialReasons: false,
    images: true,
    interrupt: true,
    subagents: false,
  },
  // When a chat may be picked up again without being wiped is told by its files.
  elsewhere: { cannot: ['resume'] },
  questionTools: ['AskUser'],
  find: () => find(),
  check: async ({ options }) => void readSettings(options, 'gemini'),
  connect,
  initial,
  importer,
  translate,
  readRecorded,
}
