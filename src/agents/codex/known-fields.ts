import { kindsBy, oneKind, shape, shapesOf } from '../kit/known-fields.ts'
import * as fields from './fields.generated.ts'

const item = kindsBy('item', 'type', shapesOf(fields.items))
const turn = oneKind('turn', shape(fields.turn))

/** The known fields of the app-server's messages. */
export const lines = kindsBy(
  '',
  'method',
  shapesOf(fields.params, each =>
    shape('jsonrpc id method params emittedAtMs', { params: oneKind(null, shape(each, { item, turn })) }),
  ),
)

const execItem = kindsBy(
  'item',
  'type',
  shapesOf(fields.execItems, each =>
    shape(each, {
      changes: oneKind('change', shape(fields.execChange)),
      items: oneKind('todo', shape(fields.execTodo)),
    }),
  ),
)

/** The known fields of the lines of `codex exec --json`. */
export const execLines = kindsBy(
  '',
  'type',
  shapesOf(fields.execLines, each =>
    shape(each, {
      item: execItem,
      usage: oneKind('usage', shape(fields.execUsage)),
      error: oneKind('error', shape(fields.execError)),
    }),
  ),
)
