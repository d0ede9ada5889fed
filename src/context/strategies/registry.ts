import type { ToolFamily } from '../../protocol/known-tools.ts'
import type { ToolPair } from '../history.ts'
import { defaultStrategies } from './defaults.ts'
import type { Strategy } from './strategy.ts'

/** The strategies of all tools. Registering gives another registry; this one stays as it is. */
export interface Strategies {
  /** For a tool by its name, and only with the owner that its driver gave it, so that another tool of the same name does not match. */
  register(tool: string, owner: string, strategy: Strategy): Strategies
  of(pair: Pick<ToolPair, 'tool' | 'owner' | 'family'>): readonly Strategy[]
  /** Whether an owner lets another change its pairs. */
  readonly consents: (owner: string, to: string) => boolean
}

type Registered = readonly { readonly tool: string; readonly owner: string; readonly strategy: Strategy }[]

/** The default strategies, by family. */
export function createStrategies(
  families: Readonly<Partial<Record<ToolFamily, Strategy>>> = defaultStrategies,
): Strategies {
  return withRegistered(families, [])
}

function withRegistered(
  families: Readonly<Partial<Record<ToolFamily, Strategy>>>,
  registered: Registered,
): Strategies {
  return {
    register: (tool, owner, strategy) => withRegistered(families, [...registered, { tool, owner, strategy }]),
    of({ tool, owner, family }) {
      const own = registered.filter(each => each.tool === tool && each.owner === owner)
      const usual = families[family]
      return [...(usual === undefined ? [] : [usual]), ...own.map(({ strategy }) => strategy)]
    },
    consents: (owner, to) =>
      registered.some(each => each.owner === owner && each.strategy.accepts?.includes(to) === true),
  }
}
