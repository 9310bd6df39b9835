/** What a member may do: viewers read, members write, admins and owners also maintain and delete for good. */
export const teamRoles = ["owner", "admin", "member", "viewer"] as const;
