import type { Agent } from './agent.ts'
import { scripted } from './scripted/index.ts'

/** Every agent that Dragoman knows, the default one first. */
export const agents: readonly Agent[] = [scripted]
