import type { Language } from "../language.ts";

export const cs: Language = {
  code: "cs",
  everyday: {
    frame: "{who} {when} {verb} {object}.",
    who: "Tereza;Jiří;Lenka;Petr;Hana;Václav;Markéta;Zdeněk;Eliška;Tomáš;Jitka;Radek",
    when: "ve čtvrtek;o víkendu;každý den;dnes večer;po večeři;v poledne;po obědě;po večerech;dnes odpoledne;v dubnu;v listopadu;prvního v měsíci;v sedm hodin;v půl desáté",
    deeds: [
      "píše;čte;kontroluje;posílá;podepisuje|dopis;smlouvu;fakturu;zprávu;objednávku;seznam hostů;tiskové prohlášení",
      "prodává;opravuje;čistí;kupuje;fotografuje|kolo;starou pohovku;lampu;dřevěnou loďku;nástěnné hodiny;knihovnu;kuchyňský stůl",
      "potkává;navštěvuje;zpovídá|architekta;starostku;zahradníka;novinářku;fotografa;krejčího;včelaře",
      "testuje;vylepšuje;vysvětluje|nákupní košík;graf;tiskovou šablonu;úvodní stránku;galerii obrázků;kontaktní formulář",
    ],
  },
  facts: `
    1 Marta má alergii na arašídy a vždy u sebe nosí adrenalinové pero. => Na co má Marta alergii? => Co nesmí být v jídle, když vaříme pro Martu?
    2 Uživatel chce krátké odpovědi bez odrážek. => Jaké odpovědi uživatel chce? => Jak dlouhé mají být reakce a v jaké podobě?
    3 Jonas pije kávu černou, bez cukru. => Jak pije Jonas kávu? => Dává si Jonas do teplých nápojů mléko?
    4 V editoru má uživatel nejradši tmavý motiv s velkým písmem. => Jaký motiv má uživatel v editoru nejradši? => Jak má vypadat vývojové prostředí?
    5 Naše dcera miluje dinosaury nade všechno. => Co naše dcera miluje nejvíc? => Jaký dárek by potěšil naši holčičku?
    6 Ines je už deset let vegetariánka. => Odkdy je Ines vegetariánka? => Jí Ines maso?
    7 Při letech si uživatel vždy rezervuje místo u okna. => Jaké místo si uživatel rezervuje při letech? => Kde uživatel v letadle rád sedí?
    8 Moje matka poslouchá jen klasickou hudbu, především Bacha. => Jakou hudbu poslouchá moje matka? => Z jakých lístků na koncert by měla maminka radost?
    9 Tomas od března vede platební tým. => Kdo vede platební tým? => Kdo šéfuje lidem, kteří pracují na fakturaci?
    10 Priya má narozeniny 14. října. => Kdy má Priya narozeniny? => Který den máme Priye popřát?
    11 Můj soused, pan Keller, je truhlář v důchodu. => Jaké povolání měl můj soused, pan Keller? => Čím se dřív živil ten muž od vedle?
    12 Náš účetní je k zastižení po telefonu jen v úterý dopoledne. => Kdy je náš účetní k zastižení po telefonu? => Kdy můžu zavolat tomu, kdo nám dělá daně?
    13 Sofia mluví plynně portugalsky a nizozemsky. => Jakými jazyky mluví Sofia? => Kdo by nám mohl přeložit dopis z Lisabonu?
    14 Nová stážistka nastupuje 1. září. => Kdy nastupuje nová stážistka? => Kdy se k nám připojí učnice?
    15 Náš pronajímatel žije v zahraničí a odpovídá jen na e-maily. => Kde žije náš pronajímatel? => Jak se spojím s majitelem bytu?
    16 Můj bratr se loni v létě přestěhoval do Osla. => Kam se přestěhoval můj bratr? => Ve kterém městě teď můj bratr bydlí?
    17 Mobilní aplikace musí být hotová před květnovým veletrhem. => Kdy musí být mobilní aplikace hotová? => Do kdy máme dodat program pro chytré telefony?
    18 Zákazník odmítl náš první návrh, protože byl příliš barevný. => Proč zákazník odmítl náš první návrh? => Proč se klientovi nelíbil původní nástřel designu?
    19 Rozpočet na nový sklad je 80 000 eur. => Jaký je rozpočet na nový sklad? => Kolik peněz smíme utratit za budovu na uskladnění?
    20 Překlad příručky má dva týdny zpoždění. => Jaké zpoždění má překlad příručky? => O kolik se opozdily návody v jiných jazycích?
    21 Pilotní provoz v nemocnici skončil předčasně, protože si sestry stěžovaly na pomalé obrazovky. => Proč pilotní provoz v nemocnici skončil předčasně? => Proč byla zkouška na klinice zastavena?
    22 Krycí jméno přepsaného vyhledávání je Heron. => Jaké je krycí jméno přepsaného vyhledávání? => Jak si mezi sebou říkáme novému vyhledávači?
    23 Nová verze vychází každé první pondělí v měsíci. => Kdy vychází nová verze? => Jak často bývají vydání?
    24 Widget s počasím bude otevřený pod licencí MIT. => Pod jakou licencí bude widget s počasím? => Za jakých právních podmínek dáváme k dispozici kód komponenty s předpovědí?
    25 V předprodukčním prostředí naslouchá Postgres na portu 5433. => Jaký port používá Postgres v předprodukčním prostředí? => Jak se připojím k testovací databázi?
    26 Zálohy běží každou noc ve tři a uchovávají se třicet dní. => Jak dlouho se uchovávají zálohy? => Jak dlouho lze obnovit ztracená data?
    27 Upozornění chodí do kanálu #on-call, ne na e-mail. => Kam chodí upozornění? => Kde se objeví varování o výpadku?
    28 Každý klíč API smí poslat sto požadavků za minutu. => Kolik požadavků za minutu smí poslat klíč API? => Jak často může klient volat naše rozhraní, než ho omezíme?
    29 Nahrávané obrázky nesmějí být větší než 10 megabajtů. => Jak velké smějí být nahrávané obrázky? => Jak velký může být soubor s fotkou?
    30 Produkční servery jsou ve Frankfurtu. => Kde jsou produkční servery? => Kde běží náš ostrý systém?
    31 Hesla patří do trezoru, nikdy do souborů prostředí. => Kam patří hesla? => Kde se mají uchovávat tajné údaje?
    32 Certifikát webu vyprší 30. listopadu. => Kdy vyprší certifikát webu? => Do kdy musíme obnovit TLS?
    33 Relace skončí po patnácti minutách nečinnosti. => Po kolika minutách nečinnosti skončí relace? => Kdy je nečinný uživatel automaticky odhlášen?
    34 Dali jsme přednost Kafce před RabbitMQ, protože zprávy musí jít znovu přehrát. => Proč jsme si vybrali Kafku? => Jakého zprostředkovatele zpráv jsme vybrali a z jakého důvodu?
    35 Tým se rozhodl ukončit podporu Internet Explorer. => Který prohlížeč už tým nepodporuje? => Který prohlížeč už neřešíme?
    36 V lednu se ceny zvýší o pět procent. => O kolik se v lednu zvýší ceny? => O kolik víc zaplatí zákazníci příští rok?
    37 Do léta nikoho nenabíráme. => Kdy budeme zase nabírat lidi? => Jsou teď nějaká volná místa?
    38 Všechny časové údaje se ukládají v UTC. => V jakém časovém pásmu se ukládají časové údaje? => Jaké časové pásmo používáme pro časová razítka?
    39 Kancelář je mezi Vánocemi a Novým rokem zavřená. => Kdy je kancelář zavřená? => Pracuje někdo v posledním prosincovém týdnu?
    40 Každá změna potřebuje schválení dvou recenzentů. => Kolik recenzentů musí schválit změnu? => Kolik lidí se musí podívat na pull request, než se sloučí?
    41 Týdenní plánování se přesunulo z pondělí na středu v deset. => Kdy se koná týdenní plánování? => Kdy si spolu sedáme, abychom si rozvrhli týden?
    42 Na zasedání představenstva prezentovala Nadia prodejní čísla. => Kdo na zasedání představenstva prezentoval prodejní čísla? => Kdo mluvil o tržbách před vedením?
    43 Hovor s dodavatelem byl zrušen kvůli stávce. => Proč byl zrušen hovor s dodavatelem? => Proč jsme nemluvili s firmou, která nás zásobuje?
    44 Retrospektiva ukázala, že testy běží příliš dlouho. => Co ukázala retrospektiva? => Co vývojářům nejvíc vadilo, když se ohlíželi za sprintem?
    45 Importní skript spadne, když řádek obsahuje středník. => Kdy importní skript spadne? => Kvůli jakému znaku selže načtení dat?
    46 Náš vlak do Vídně odjíždí v 7:42 z koleje 9. => V kolik hodin odjíždí náš vlak do Vídně? => Kdy vyrážíme do Rakouska?
    47 V Kjótu jsme bydleli v malém hostinci u řeky. => Kde jsme bydleli v Kjótu? => Kde jsme spali na cestě po Japonsku?
    48 Můj pas platí do roku 2031. => Do kdy platí můj pas? => Do kdy si musím zažádat o nové cestovní doklady?
    49 Na dovolenou ve Skotsku jsme si půjčili obytný vůz. => Co jsme si půjčili na dovolenou ve Skotsku? => Čím jsme jeli na túru po Vysočině?
    50 Kufr s rozbitým kolečkem je ve sklepě. => Kde je kufr s rozbitým kolečkem? => Kde je poškozené zavazadlo?
    51 Dědeček si každé ráno bere prášek na tlak. => Co si dědeček bere každé ráno? => Jaký lék užívá děda?
    52 K zubaři jsem objednaný ve čtvrtek v půl páté. => Kdy jsem objednaný k zubaři? => Kdy mi zkontrolují chrup?
    53 Lékař doporučil Karimovi, aby kvůli zádům dvakrát týdně plaval. => Co lékař doporučil Karimovi? => Jaký sport by měl Karim dělat proti bolesti?
    54 Od operace už teta Rosa nemůže chodit do schodů. => Odkdy teta Rosa nemůže chodit do schodů? => Proč Rosa potřebuje byt s výtahem?
    55 Náhradní klíč je pod modrým květináčem. => Kde je náhradní klíč? => Jak se dostanu do domu, když si zabouchnu dveře?
    56 Pračka při ždímání teče. => Kdy pračka teče? => Ze kterého domácího spotřebiče uniká voda?
    57 Kočka se krmí jen večer. => Kdy se krmí kočka? => V kterou denní dobu dostává náš mazlíček jídlo?
    58 Starý papír se vyváží každý druhý pátek. => Jak často se vyváží starý papír? => Kdy se musí dát na ulici přečtené noviny?
    59 Funkce, která zpracovává kalendářní data, selhává v přestupných letech. => Ve kterých letech selhává funkce, která zpracovává kalendářní data? => Jakou chybu máme s 29. únorem?
    60 Testy běží souběžně, takže nesmějí sdílet dočasnou složku. => Proč testy nesmějí sdílet dočasnou složku? => Proč potřebuje každý testovací případ vlastní adresář?
  `,
};
