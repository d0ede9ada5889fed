import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'
import { trimEndOf } from '../../protocol/linear-text.ts'
import type { Agent, Capabilities, ConnectOptions } from '../agent.ts'
import { find } from './find.ts'
import { folderThere } from './folders.ts'
import { createService } from './service.ts'
import { checkAddress, type RemoteSettings } from './settings.ts'
import { startRemotely, type Elsewhere } from './start-remotely.ts'
import { describePlace, readToken } from './token.ts'

export { remoteSettingsSchema, type RemoteSettings } from './settings.ts'

/** Times that only tests change, in milliseconds. */
export interface Times {
  readonly startMs?: number
  readonly callMs?: number
  readonly silenceMs?: number
}

/** A remote agent: its name, its settings, and all known agents. */
export interface RemoteParts {
  readonly name: string
  readonly settings: RemoteSettings
  readonly agents: readonly Agent[]
  readonly times?: Times
}

const defaults = { startMs: 5_000, callMs: 60_000, silenceMs: 45_000, patienceSeconds: 120 }

/** A known agent whose program runs on another machine, behind a service; its lines mean the same. */
export function createRemoteAgent(parts: RemoteParts): Agent {
  const { name, settings, times = {} } = parts
  const known = knownAgent(parts)
  checkAddress(name, settings)
  const { token: place } = settings
  const url = trimEndOf(settings.url, '/')
  const { startMs, callMs, silenceMs } = { ...defaults, ...times }
  const service = createService({ url, token: () => readToken(place, process.env), callMs, silenceMs })
  const elsewhere: Elsewhere = {
    service,
    subject: { name, url, tokenPlace: describePlace(place) },
    program: settings.program ?? known.name,
    patienceMs: (settings.patienceSeconds ?? defaults.patienceSeconds) * 1000,
    startMs,
  }
  const withOwn = (options: Json): Json =>
    settings.options === undefined ? options : { ...settings.options, ...(options as object) }
  // The agent's files on disk are on that machine.
  const { importer: _, ownHistory: __, context: ___, ...rest } = known
  return {
    ...rest,
    name,
    title: settings.title ?? `${known.title} at ${url}`,
    capabilities: capabilitiesThere(known),
    find: () => find(service, elsewhere.program, elsewhere.subject),
    check: async given => await known.check?.({ ...given, options: withOwn(given.options) }),
    connect: (options: ConnectOptions) =>
      known.connect({
        ...options,
        options: withOwn(options.options),
        cwd: folderThere(settings.folders ?? {}, options.cwd),
        start: given => startRemotely(given, elsewhere),
      }),
  }
}

function capabilitiesThere({ capabilities, elsewhere }: Agent): Capabilities {
  const lost = elsewhere?.cannot.map(name => [name, false] as const) ?? []
  return { ...capabilities, ...Object.fromEntries(lost) }
}

function knownAgent({ name, settings, agents }: RemoteParts): Agent {
  const able = agents.filter(({ elsewhere }) => elsewhere !== undefined)
  const known = able.find(agent => agent.name === settings.agent)
  if (known) return known
  const names = able.map(agent => agent.name).join(', ')
  const is = agents.some(agent => agent.name === settings.agent)
  const why = is
    ? `"${settings.agent}" does not use standard input and output, so it cannot run on another machine (if it supports ACP, use "acp")`
    : `"agents.${name}.agent" is not the name of an agent`
  throw new DragomanError(
    'invalid-input',
    `The settings of the agent "${name}" are not valid: ${why}. Available agents: ${names}.`,
  )
}
