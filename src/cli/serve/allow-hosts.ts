import type { Dragoman } from '../../server/create-dragoman.ts'

/** Lets the server be called by further names: as they are, and where they have no port, with the port it listens on. */
export function allowHosts({ inside }: Dragoman, names: readonly string[], port: number): void {
  const isWhole = (name: string) => /:\d+$/.test(name) && !name.endsWith(']')
  inside.guard.hosts.add(...names.flatMap(name => (isWhole(name) ? [name] : [name, `${name}:${port}`])))
}
