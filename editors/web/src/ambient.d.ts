declare module "*.kif" { const text: string; export default text; }
declare module "*.hrf" { const text: string; export default text; }
declare module "*.md" { const text: string; export default text; }
declare module "*.pog" { const text: string; export default text; }
