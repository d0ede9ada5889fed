import { agentNamed } from '../../sessions/find-agent.ts'
import { DragomanError } from '../../protocol/error.ts'
import { isObject } from '../../protocol/json.ts'
import type { Sent } from '../../protocol/api/api.ts'
import type { Preferences } from '../preferences.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Handlers } from './handler.ts'

type Changes = NonNullable<Sent<'changeSettings'>['body']>

/** Shows the settings of the server, and changes those that can be changed while it runs. */
export const settings: Handlers<'getSettings' | 'changeSettings'> = {
  getSettings: async server => show(server),
  async changeSettings(server, { body }) {
    const { preferences, options } = server
    refuseFixed('agent', body.agent, options.fixed.agent)
    refuseFixed('context', body.context, options.fixed.context)
    if (typeof body.agent === 'string') agentNamed(server.agents, body.agent)
    const changed = await optionsAfter(server, body.options)
    const { agent, context } = { ...preferences.current(), ...body }
    const given = { agent: agent ?? undefined, context: context ?? undefined, options: changed }
    preferences.replace(JSON.parse(JSON.stringify(given)) as Preferences)
    return show(server)
  },
}

/** A choice that would have no effect is refused. */
function refuseFixed(name: 'agent' | 'context', wanted: unknown, fixed: string | null): void {
  if (wanted === undefined || fixed === null) return
  throw new DragomanError(
    'invalid-input',
    `"${name}" was set to ${JSON.stringify(fixed)} when the server was started. Change it there: in dragoman.json, in the environment, or with --${name}.`,
  )
}

async function optionsAfter(
  { preferences, agents, options: { defaultFolder: cwd }, dataFolder }: ServerParts,
  changes: Changes['options'] = {},
): Promise<NonNullable<Preferences['options']>> {
  const all = { ...preferences.current().options }
  for (const [name, options] of Object.entries(changes)) {
    const agent = agentNamed(agents, name)
    if (options === null) delete all[name]
    else if (isObject(options)) {
      await agent.check?.({ options, cwd, dataFolder })
      all[name] = options
    } else
      throw new DragomanError(
        'invalid-input',
        `The options of "${name}" must be an object, or null to remove them.`,
      )
  }
  return all
}

async function show(server: ServerParts) {
  const { preferences, openPrices, dataFolder } = server
  const { fixed, defaultFolder, roots, prices } = server.options
  const { agent = null, context = null, options = {} } = preferences.current()
  return {
    agent: { value: fixed.agent ?? agent, isFixed: fixed.agent !== null },
    context: { value: fixed.context ?? context ?? 'safe', isFixed: fixed.context !== null },
    options,
    folder: { data: dataFolder, default: defaultFolder, roots },
    prices: { date: (await openPrices()).date, own: prices },
  }
}
