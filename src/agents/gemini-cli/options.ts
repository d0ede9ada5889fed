import * as z from 'zod/mini'
import type { Json } from '../../protocol/json.ts'
import { ownOptions } from '../acp/index.ts'
import { checkOptions, declareOptions, option } from '../kit/declare-options.ts'

const optionsSchema = z.looseObject({
  ...ownOptions,
  model: option(z.string(), {
    title: 'Model',
    description: 'The name of a model of Google, or "auto".',
    examples: ['auto', 'gemini-3.1-pro-preview', 'gemini-3.8-flash', 'gemini-3.5-flash-lite'],
    'x-place': 'bar',
    'x-keeps-rules': true,
  }),
  mode: option(z.string(), {
    title: 'Permission mode',
    description: 'Which tool calls need your approval.',
    examples: ['default', 'autoEdit', 'plan', 'yolo'],
    'x-place': 'bar',
    'x-keeps-rules': true,
    'x-labels': {
      default: 'Ask before changes',
      autoEdit: 'Accept edits',
      plan: 'Plan only',
      yolo: 'Bypass permissions',
    },
    'x-risks': {
      autoEdit: 'Gemini CLI edits files in the folder without asking.',
      yolo: 'Gemini CLI runs every command and edits every file without asking.',
    },
  }),
})

/** The options as a JSON schema. */
export const declared = declareOptions(optionsSchema)

/** Checks the options of a new session. */
export const check = (options: Json): void => void checkOptions(optionsSchema, options, 'Gemini CLI')
