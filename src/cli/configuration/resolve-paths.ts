import { homedir } from 'node:os'
import { resolve } from 'node:path'
import type { StrategySettings } from '../../sessions/strategies/configure-strategies.ts'
import type { AgentSettings, Configuration } from './keys.ts'

/** The settings with every path whole: a relative one starts from where it is named. */
export function resolvePaths(settings: Partial<Configuration>, base: string): Partial<Configuration> {
  const { data, roots, agents, strategies } = settings
  return {
    ...settings,
    ...(data !== undefined && { data: resolve(base, data) }),
    ...(roots && { roots: roots.map(root => resolve(base, root)) }),
    ...(agents && { agents: resolveTokens(agents, base) }),
    ...(strategies && { strategies: strategies.map(each => withModules(each, base)) }),
  }
}

function resolveTokens(agents: Configuration['agents'], base: string): Configuration['agents'] {
  const whole = (agent: AgentSettings): AgentSettings => {
    if (agent.kind === 'wrong') return agent
    if (agent.kind === 'model')
      return agent.keyFile === undefined ? agent : { ...agent, keyFile: wholePath(base, agent.keyFile) }
    return 'file' in agent.token ? { ...agent, token: { file: wholePath(base, agent.token.file) } } : agent
  }
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, whole(agent)]))
}

const withModules = (strategy: StrategySettings, base: string): StrategySettings => ({
  ...strategy,
  ...(strategy.custom !== undefined && { custom: wholePath(base, strategy.custom) }),
  ...(strategy.optimise !== undefined && { optimise: wholePath(base, strategy.optimise) }),
})

/** Tokens are often kept at home, which a path in a file cannot name otherwise. */
const wholePath = (base: string, path: string) => resolve(base, path.replace(/^~(?=\/)/, homedir()))
