import type { Agent } from '../../agents/agent.ts'
import { sameJson } from '../../projections/same-json.ts'
import type { CommandOf } from '../../protocol/command.ts'
import { DragomanError } from '../../protocol/error.ts'
import { asObject, type Json } from '../../protocol/json.ts'
import { closedForOptions } from '../agent/ending.ts'
import { agentNamed } from '../find-agent.ts'
import type { OwnedSession } from '../own/owned-session.ts'
import { optionsOf } from '../view/session-agent.ts'
import { refuseBusy } from './refuse-busy.ts'
import type { Reply } from './reply.ts'

type Options = Readonly<Record<string, Json>>

/** Changes options of a session's agent. An agent that is idle is ended, so that the next prompt starts it with them. */
export async function configure(
  owned: OwnedSession,
  { options: changes }: CommandOf<'configure'>,
): Promise<Reply<'configure'>> {
  return owned.write(async appender => {
    const { agent: name, cwd } = owned.writer.state.summary
    const known = agentNamed(owned.host.agents, name)
    const agent = (await known.load?.()) ?? known
    const before: Options = asObject(await optionsOf(owned))
    const options = changed(before, changes)
    const names = Object.keys(changes).filter(each => !sameJson(before[each], options[each]))
    if (names.length === 0) return { seq: null }
    refuseBusy(owned, 'change its options')
    refuseFixed(agent, names)
    await agent.check?.({ options, cwd, dataFolder: owned.host.dataFolder })
    const [entry] = await appender.append([
      { type: 'agent-assigned', agent: name, options, ...(keepsRules(agent, names) && { keepsRules: true }) },
    ])
    owned.agent?.end(closedForOptions)
    return { seq: entry?.seq ?? 0 }
  })
}

const changed = (before: Options, changes: Options): Options =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null))

function refuseFixed({ title, options }: Agent, names: readonly string[]): void {
  const fixed = names.find(name => options?.properties[name]?.['x-new'] === true)
  if (fixed === undefined) return
  throw new DragomanError(
    'invalid-input',
    `The option "${fixed}" of ${title} can only be set for a new session. Start one with it.`,
  )
}

/** Rules are dropped unless the agent declares that none of these options changes what a call does. */
const keepsRules = ({ options }: Agent, names: readonly string[]): boolean =>
  names.every(name => options?.properties[name]?.['x-keeps-rules'] === true)
