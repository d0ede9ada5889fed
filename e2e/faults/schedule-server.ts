import { tmpdir } from 'node:os'
import { createDragoman, serve } from '../../src/server/index.ts'
import { openStore } from '../../src/store/open-store.ts'
import { chatter } from '../chatter.ts'

// A real server whose agent lives in its process: thousands of short sessions need no process each.
const [folder = ''] = process.argv.slice(2)
const store = await openStore({ folder, durability: 'fast' })
const dragoman = await createDragoman({
  store,
  agents: [chatter],
  roots: [tmpdir()],
  defaultFolder: tmpdir(),
  sessionLimits: { places: 64 },
  log: () => {},
})
const { url } = await serve({ dragoman, port: 0 })
process.send?.({ url, token: dragoman.token })
process.on('disconnect', () => process.exit(0))
