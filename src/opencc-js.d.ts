/** Its types leave out the tables: "traditional simplified", the first of several, between bars. */
declare module "opencc-js/dict/*" {
  const table: string;
  // biome-ignore lint/style/noDefaultExport: it is what the module has
  export default table;
}
