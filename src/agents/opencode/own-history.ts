import { DragomanError } from '../../protocol/error.ts'
import type { OpenHistory, OwnHistory } from '../agent.ts'
import { parseJson } from '../kit/parse-json.ts'
import { writeEdits } from './history-plugin.ts'

/** How context changes reach the history that OpenCode sends: a plugin changes each request. */
export const ownHistory: OwnHistory = {
  // It serves models of many providers; only those of one check what came before their thinking.
  thinking: model => (/anthropic|claude/i.test(model ?? '') ? 'bound' : 'free'),
  open({ agentSession, dataFolder }) {
    if (!/^[\w-]+$/.test(agentSession))
      throw new DragomanError('agent-unavailable', 'its name is not a valid file name')
    refuseDeaf(process.env)
    const write: OpenHistory['write'] = (edits, thoughts) =>
      writeEdits(dataFolder, agentSession, edits, thoughts)
    return Promise.resolve({ calls: null, write })
  },
}

/** A server that does not load our plugin would send everything. */
function refuseDeaf(env: NodeJS.ProcessEnv): void {
  const { OPENCODE_PURE: pure, OPENCODE_CONFIG_CONTENT: settings } = env
  if (pure) throw new DragomanError('agent-unavailable', 'OPENCODE_PURE disables plugins')
  if (settings && parseJson(settings) === undefined)
    throw new DragomanError('agent-unavailable', 'OPENCODE_CONFIG_CONTENT is not plain JSON')
}
