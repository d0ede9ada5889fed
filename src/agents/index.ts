import { acp } from './acp/index.ts'
import type { Agent } from './agent.ts'
import { claudeCode } from './claude-code/index.ts'
import { codex } from './codex/index.ts'
import { geminiCli } from './gemini-cli/index.ts'
import { model } from './model/index.ts'
import { opencode } from './opencode/index.ts'
import { scripted } from './scripted/index.ts'

/** Every agent that Dragoman knows, the default one first. */
export const agents: readonly Agent[] = [scripted, claudeCode, codex, opencode, geminiCli, acp, model]
