declare module 'virtual:packages' {
  /** The npm packages in the bundle: name, version, licence (vite.config.ts). */
  export const packages: [name: string, version: string, licence: string][];
}
