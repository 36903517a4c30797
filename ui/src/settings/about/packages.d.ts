declare module 'virtual:packages' {
  /** The npm packages that are in the program: name, version, licence (vite.config.ts). */
  export const packages: [name: string, version: string, licence: string][];
}
