import { ask } from './ask.ts'
import { delegate } from './delegate.ts'
import { edit } from './edit.ts'
import { fetch } from './fetch.ts'
import { list } from './list.ts'
import { read } from './read.ts'
import { recall } from './recall.ts'
import { run } from './run.ts'
import { search } from './search.ts'
import { todo } from './todo.ts'
import type { Tool } from './tool.ts'
import { write } from './write.ts'

/** Every tool that a model can have. */
export const allTools: readonly Tool[] = [
  read,
  write,
  edit,
  list,
  search,
  run,
  fetch,
  todo,
  delegate,
  ask,
  recall,
]
