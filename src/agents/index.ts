import { about as acp } from './acp/about.ts'
import type { Agent } from './agent.ts'
import { about as claudeCode } from './claude-code/about.ts'
import { about as codex } from './codex/about.ts'
import { about as geminiCli } from './gemini-cli/about.ts'
import { loaded, loadWhenUsed } from './load-when-used.ts'
import { about as model, presets } from './model/about.ts'
import { about as opencode } from './opencode/about.ts'
import { about as scripted } from './scripted/about.ts'

/** Every agent that Dragoman knows, the default one first. Each is loaded when it is used. */
export const agents: readonly Agent[] = [
  loadWhenUsed(scripted, async () => (await import('./scripted/index.ts')).scripted),
  loadWhenUsed(claudeCode, async () => (await import('./claude-code/index.ts')).claudeCode),
  loadWhenUsed(codex, async () => (await import('./codex/index.ts')).codex),
  loadWhenUsed(opencode, async () => (await import('./opencode/index.ts')).opencode),
  loadWhenUsed(geminiCli, async () => (await import('./gemini-cli/index.ts')).geminiCli),
  loadWhenUsed(acp, async () => (await import('./acp/index.ts')).acp),
  loadWhenUsed(model, async () => (await import('./model/index.ts')).model),
]

/** An agent for each model provider that has a default address and a default model. */
export const modelPresets: readonly Agent[] = presets.map(preset =>
  loadWhenUsed(preset.about, async () => (await import('./model/index.ts')).modelPreset(preset)),
)

/** Every agent that Dragoman knows, loaded. */
export const loadAgents = (): Promise<readonly Agent[]> => Promise.all(agents.map(loaded))
