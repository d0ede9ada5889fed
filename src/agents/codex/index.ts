import type { Agent } from '../agent.ts'
import { connect } from './connect.ts'
import { find } from './find.ts'
import { forkPoint } from './fork-point.ts'
import { importer } from './import.ts'
import { readOptions } from './options.ts'
import { ownHistory } from './own-history.ts'
import type { State } from './state.ts'
import { initial, translate } from './translate.ts'

/** OpenAI's Codex, through its app-server. */
export const codex: Agent<State> = {
  name: 'codex',
  title: 'Codex',
  lines: 'codex app-server or codex exec --json',
  capabilities: {
    resume: true,
    fork: true,
    approvals: true,
    changedInput: false,
    denialReasons: false,
    images: true,
    interrupt: true,
    subagents: true,
  },
  elsewhere: { cannot: [] },
  questionTools: ['requestUserInput', 'elicitation'],
  find: () => find(),
  check: async ({ options }) => void readOptions(options),
  connect,
  initial,
  importer,
  translate,
  forkPoint,
  context: 'next-boundary',
  ownHistory,
}
