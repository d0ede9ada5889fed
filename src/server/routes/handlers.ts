import { approvals } from './approvals.ts'
import { chat } from './chat.ts'
import { context } from './context.ts'
import { entries } from './entries.ts'
import { folders } from './folders.ts'
import type { Handlers } from './handler.ts'
import { imports } from './imports.ts'
import { messages } from './messages.ts'
import { operation } from './operation.ts'
import { prompts } from './prompts.ts'
import { search } from './search.ts'
import { sessions } from './sessions.ts'
import { settings } from './settings.ts'
import { usage } from './usage.ts'
import { work } from './work.ts'

/** The handler of each call. */
export const handlers: Handlers = {
  ...operation,
  ...sessions,
  ...messages,
  ...work,
  ...context,
  ...entries,
  ...prompts,
  ...approvals,
  ...chat,
  ...search,
  ...usage,
  ...imports,
  ...folders,
  ...settings,
}
