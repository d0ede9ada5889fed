import type { Policy } from '../policy.ts'
import { anthropicEditing } from './anthropic-editing.ts'
import { claudeCodeIdle } from './claude-code-idle.ts'
import { foresight } from './foresight.ts'
import { geminiMasking } from './gemini-masking.ts'
import { naiveRules, naiveWithEdits } from './naive-rules.ts'
import { observationMasking } from './observation-masking.ts'
import { opencodePrune } from './opencode-prune.ts'
import { pruneMessages } from './prune-messages.ts'

/** The rules of other programs. */
export const anchors: readonly Policy[] = [
  anthropicEditing,
  claudeCodeIdle,
  opencodePrune,
  geminiMasking,
  observationMasking,
  pruneMessages(2),
  pruneMessages(10),
  naiveRules,
  naiveWithEdits,
  foresight,
]
