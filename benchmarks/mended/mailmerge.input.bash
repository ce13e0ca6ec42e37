cat > letter.tmpl <<'T'
Dear $name,

our records of $date show a balance of $$$balance on your account $account.
$remark

Yours sincerely,
  The Accounts Team
T
gawk 'BEGIN{srand(13);split("Ann Bob Cem Dora Eve Finn Gus Hana",n," ");for(i=0;i<21500;i++){printf "%s %c.;%d;",n[1+int(rand()*8)],65+int(rand()*26),500000+i;k=2+int(rand()*4);for(j=0;j<k;j++)printf "%s%d",j?",":"",int(rand()*40000)-20000;print ""}}' > accounts.txt
