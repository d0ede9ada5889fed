import { existsSync } from 'node:fs'
import type { Agent } from '../../agents/agent.ts'
import type { FoundTranscript, Importer } from '../../agents/importer.ts'
import { DragomanError } from '../../protocol/error.ts'

/** A transcript and its agent. */
export interface AgentTranscript {
  readonly agent: string
  readonly found: FoundTranscript
}

/** A file or folder that could not be read, and why. */
export interface Unread {
  readonly file: string
  readonly reason: string
}

/** Transcripts, those that changed last first, and what could not be read. */
export interface Search {
  readonly found: readonly AgentTranscript[]
  readonly unread: readonly Unread[]
}

/** Where to search for transcripts. */
export interface SearchWish {
  readonly agents: readonly Agent[]
  /** The full path of a file or folder; undefined for the agents' usual places. */
  readonly path?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Names the files below a path that look like transcripts but cannot be read, so that their agent is unknown. */
export type FindSpoiled = (path: string, known: ReadonlySet<string>) => Promise<readonly Unread[]>

/** The agents that keep transcripts, or only the named ones. */
export function importingAgents(all: Iterable<Agent>, names?: readonly string[]): readonly Agent[] {
  const agents = [...all].filter(({ importer }) => importer !== undefined)
  const unknown = names?.find(name => !agents.some(agent => agent.name === name))
  if (unknown === undefined) return agents.filter(({ name }) => names?.includes(name) ?? true)
  const supported = agents.map(agent => agent.name).join(', ')
  throw new DragomanError(
    'unknown-agent',
    `Transcripts of "${unknown}" cannot be imported. Supported agents: ${supported}.`,
  )
}

/** Finds transcripts in a file or folder, or in the usual folders of agents. */
export async function findTranscripts(
  { agents, path, env }: SearchWish,
  findSpoiled?: FindSpoiled,
): Promise<Search> {
  const found: AgentTranscript[] = []
  const unread = new Map<string, Unread>()
  for (const { name: agent, importer } of agents) {
    for (const place of path === undefined ? usualPlaces(importer, env) : [path]) {
      try {
        for await (const each of importer?.find(place) ?? []) found.push({ agent, found: each })
      } catch (error) {
        const file = (error as NodeJS.ErrnoException).path ?? place
        unread.set(file, { file, reason: whyUnread(error) })
      }
    }
  }
  if (path !== undefined && unread.size === 0) {
    const known = new Set(found.map(each => each.found.file))
    for (const each of (await findSpoiled?.(path, known)) ?? []) unread.set(each.file, each)
    if (found.length + unread.size === 0)
      unread.set(path, { file: path, reason: 'No supported transcript found in this file.' })
  }
  const newest = found.toSorted((one, other) => other.found.changedAt - one.found.changedAt)
  return { found: newest, unread: [...unread.values()] }
}

const usualPlaces = (importer: Importer | undefined, env: SearchWish['env']) =>
  (importer?.places(env) ?? []).filter(place => existsSync(place))

/** Why a file or folder could not be read, and what to do. */
function whyUnread(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return 'No such file or folder. Check the path, or leave it out to search the usual folders of the agents.'
  if (code === 'EACCES' || code === 'EPERM') return 'No permission to read it. Check its permissions.'
  return message
}
