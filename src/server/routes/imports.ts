import { refuseWhenDraining } from '../refuse-when-draining.ts'
import type { Handlers } from './handler.ts'

/** Calls about the sessions that agents saved on this machine. */
export const imports: Handlers<
  'listImports' | 'startImport' | 'getImport' | 'stopImport' | 'changeImport' | 'changeImports'
> = {
  async listImports(server) {
    const found = await server.imports.found()
    const all = server.imports.all()
    return {
      found,
      running: all.findLast(({ endedAt }) => endedAt === null) ?? null,
      imports: all,
      following: server.following.state(),
    }
  },
  async startImport(server, { body }) {
    refuseWhenDraining(server)
    return { import: server.imports.start(body) }
  },
  async getImport(server, { params, query: { after = 0 } }) {
    const { progress, notes } = server.imports.get(params.import, after)
    return { import: progress, notes }
  },
  changeImport: async (server, { params, body }) => ({
    import: server.imports.pause(params.import, body.paused),
  }),
  changeImports: async (server, { body }) => ({ following: await server.following.set(body.following) }),
  stopImport: async (server, { params }) => ({ import: server.imports.stop(params.import) }),
}
